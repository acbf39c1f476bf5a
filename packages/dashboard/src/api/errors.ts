/** No answer: the network, or the panel is being restarted. */
export class UnreachableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The panel does not answer. Check your connection; it may also be restarting.', options)
    this.name = 'UnreachableError'
  }
}

/** The password was wanted once more, and not given. */
export class NotProvedError extends Error {
  constructor() {
    super('Nothing was done: you did not show that it is you.')
    this.name = 'NotProvedError'
  }
}
