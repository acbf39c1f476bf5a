import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until the answer satisfies, and resolves with it. Gives up, with the last answer, after a generous time. */
export async function until<T>(ask: () => Promise<T>, isEnough: (answer: T) => boolean, limitMs = 180_000): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await sleep(100)) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    if (Date.now() > deadline) throw new Error(`It stays ${JSON.stringify(answer)}`)
  }
}
