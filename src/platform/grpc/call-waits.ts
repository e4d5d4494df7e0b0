/** The client has left, or knows how the call ended: no further answer is possible. */
export class CallOverError extends Error {}

/** Waits of a call: they reject when the call ends first. */
export class CallWaits {
  #isOver = false;
  readonly #ends = new Set<() => void>();

  /** No error is created for waits that end in time: its stack would take time. */
  add<Value>(
    wait: (resolve: (value: Value) => void, reject: (error: unknown) => void) => void,
  ): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const end = () => reject(new CallOverError());
    if (this.#isOver) end();
    else this.#ends.add(end);
    const done = () => this.#ends.delete(end);
    wait(
      (value) => {
        done();
        resolve(value);
      },
      (error) => {
        done();
        reject(error);
      },
    );
    return promise;
  }

  end(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#ends.clear();
  }
}
