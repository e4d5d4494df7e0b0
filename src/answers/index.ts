/** The room's only public module. */
export { answerRoom, modelRoom } from "./open-answers.ts";
