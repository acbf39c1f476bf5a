import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the value satisfies the condition; on timeout fails with the last value. */
export async function until<T>(ask: () => Promise<T>, isEnough: (answer: T) => boolean, limitMs = 180_000): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await sleep(100)) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    if (Date.now() > deadline) throw new Error(`It stays ${JSON.stringify(answer)}`)
  }
}
