/** The model that answers questions, and its host, as the last answer to a search named them: "small models.internal"; null: none. */
export let answerModel: string | null = null;

export function noteModel(response: Response): Response {
  answerModel = response.headers.get("Millrace-Answers");
  return response;
}
