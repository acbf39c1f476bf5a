type Ask = () => Promise<boolean>

/** Shows one dialog for all requests that wait for it. */
function createPrompt() {
  let handler: Ask | undefined
  let pending: Promise<boolean> | undefined
  return {
    setHandler(next: Ask | undefined): void {
      handler = next
    },
    /** False if no handler is set. */
    ask(): Promise<boolean> {
      if (!handler) return Promise.resolve(false)
      pending ??= handler().finally(() => (pending = undefined))
      return pending
    }
  }
}

const signIn = createPrompt()
const proof = createPrompt()

/** Set by the shell; resolves with true if the same user signed in again. */
export const onSessionEnd = signIn.setHandler
export const signInAgain = signIn.ask

/** Set by the shell; resolves with true if the password was right. */
export const onProofWanted = proof.setHandler
export const proveAgain = proof.ask
