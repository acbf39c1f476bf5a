type Ask = () => Promise<boolean>

/** What happens when the server no longer knows us. The shell sets it; it resolves with true when the same user is signed in again. */
let ask: Ask | undefined
let asking: Promise<boolean> | undefined

export const onSessionEnd = (handler: Ask | undefined): void => {
  ask = handler
}

/** However many requests fail at once, there is one dialog, and all wait for it. False where nobody is there to ask. */
export function signInAgain(): Promise<boolean> {
  if (!ask) return Promise.resolve(false)
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}
