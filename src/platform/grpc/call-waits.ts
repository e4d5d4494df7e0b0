/** The client has gone, or was told how the call ends: nothing more can be answered. */
export class CallOverError extends Error {}

/** What a call waits for: what does not come before its end rejects. */
export class CallWaits {
  #isOver = false;
  readonly #ends = new Set<() => void>();

  /** No error is made for what comes in time: its stack takes time. */
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
