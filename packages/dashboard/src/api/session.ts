type Ask = () => Promise<boolean>

/** Asks a person once, however many requests need the answer at the same time. */
function question() {
  let ask: Ask | undefined
  let asking: Promise<boolean> | undefined
  return {
    answeredBy(handler: Ask | undefined): void {
      ask = handler
    },
    /** False where nobody is there to ask. */
    put(): Promise<boolean> {
      if (!ask) return Promise.resolve(false)
      asking ??= ask().finally(() => (asking = undefined))
      return asking
    }
  }
}

const signIn = question()
const proof = question()

/** What happens when the server no longer knows us. The shell sets it; it resolves with true when the same user is signed in again. */
export const onSessionEnd = signIn.answeredBy
export const signInAgain = signIn.put

/** What happens when the server wants the password once more for what is asked; true when it was right. */
export const onProofWanted = proof.answeredBy
export const proveAgain = proof.put
