/** The room's only public module. */
export { answerMount, answerRoom, MODEL_HEADER, modelRoom } from "./open-answers.ts";
export { createAnswerRoutes } from "./answer-routes.ts";
