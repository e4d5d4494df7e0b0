/** The model that answers questions, as the last answer to a search named it; null: none, or no connection. */
export let answerModel: string | null = null;

export function noteModel(response: Response): Response {
  answerModel = response.headers.get("Millrace-Answers");
  return response;
}
