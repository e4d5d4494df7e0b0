import { Field } from "./form.tsx";
import { type FieldErrors, MAX_MAIL_LENGTH, MAX_NAME_LENGTH, type Person } from "./person-form.ts";

interface Props {
  person: Person;
  onChange: (person: Person) => void;
  errors: FieldErrors;
  /** Whether the form begins with these fields. */
  isFirst?: boolean;
}

/** Name and mail address of a new person. */
export function PersonFields({ person, onChange, errors, isFirst = false }: Props) {
  return (
    <div className="pair">
      <Field
        label="Your name"
        name="name"
        value={person.name}
        onChange={(name) => onChange({ ...person, name })}
        error={errors.name}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="name"
        isFirst={isFirst}
      />
      <Field
        label="Mail"
        name="mail"
        type="email"
        value={person.mail}
        onChange={(mail) => onChange({ ...person, mail })}
        error={errors.mail}
        maxLength={MAX_MAIL_LENGTH}
        autoComplete="email"
      />
    </div>
  );
}
