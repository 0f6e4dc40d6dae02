// Sends requests to narrator, with a header that a form of another page cannot send.

/** An error, with a message for people. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {string} code
   */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * Send a request and return the answer, or throw the error.
 * @param {string} path
 * @param {unknown} [body]
 * @param {RequestInit} [more]
 * @returns {Promise<Response>}
 */
export async function ask(path, body, more = {}) {
  const headers = { "X-Narrator": "page", Accept: "text/html", ...more.headers };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, { ...sent, ...more, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused("narrator does not answer. Your text is kept; try again.", "away");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  const { message, code, allowed } = told.error ?? {};
  const right = allowed?.length ? ` Possible: ${allowed.slice(0, 12).join(", ")}.` : "";
  throw new Refused(`${message ?? `narrator answered ${answer.status}`}.${right}`.replace(/([.!?])\./g, "$1"), code ?? "");
}

/**
 * Give the events of a stream, with name and data.
 * @param {Response} answer
 * @returns {AsyncGenerator<[string, any]>}
 */
export async function* events(answer) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block);
      const data = /^data: (.*)$/m.exec(block);
      if (name && data) yield [name[1], JSON.parse(data[1])];
    }
  }
}
