export { ReferenceScreen as ApiScreen } from "../../reference/reference.tsx";
