type Ask = () => Promise<boolean>

/** Shows one dialog for all requests that wait for it. */
function createPrompt() {
  let handler: Ask | undefined
  let asking: Promise<boolean> | undefined
  return {
    setHandler(handler: Ask | undefined): void {
      ask = handler
    },
    ask(): Promise<boolean> {
      if (!ask) return Promise.resolve(false)
      asking ??= ask().finally(() => (asking = undefined))
      return asking
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
