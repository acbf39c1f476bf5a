/** As Promise.withResolvers, which Node 20 does not have: what a test holds others up with, until it resolves it. */
export function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
