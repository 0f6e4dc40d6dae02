// Asks narrator: every request bears the header that no form of another page can send.

/** What was refused, in words for people. */
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
 * Ask, and give the answer, or throw why there is none.
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
    throw new Refused("narrator does not answer. What you typed is kept; try again.", "away");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  const { message, code, allowed } = told.error ?? {};
  const right = allowed?.length ? ` There is: ${allowed.slice(0, 12).join(", ")}.` : "";
  throw new Refused(`${message ?? `narrator answered ${answer.status}`}.${right}`.replace(/([.!?])\./g, "$1"), code ?? "");
}

/**
 * Give the events of a stream as they come: the name, and the data.
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
