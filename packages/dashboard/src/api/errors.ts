export class UnreachableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The panel is not responding. Check your connection, or wait for the panel to restart.', options)
    this.name = 'UnreachableError'
  }
}

export class NotProvedError extends Error {
  constructor() {
    super('Nothing was changed because you did not confirm your identity.')
    this.name = 'NotProvedError'
  }
}
