/** What the process that runs a part tells the one that started it (run-parts.ts). */
export interface PartMessage {
  /** The step that begins. */
  step?: string
  /** The step that failed, and why. */
  failure?: string
  rows?: readonly unknown[]
}

// The longest steps are a window of ten idle minutes and a build, which may take 30.
const limitMinutes = 45

const startedAt = performance.now()
let failed: { text: string; error: unknown } | undefined

/** The first step that failed: clean-up that fails after it is not the cause. */
export const failedStep = (): typeof failed => failed

const running = new Set<(reason: Error) => void>()

/** Makes the steps that run fail, so that the part cleans up and ends; false where none does. */
export function interruptSteps(): boolean {
  const interrupted = [...running]
  for (const fail of interrupted) fail(new Error('interrupted'))
  return interrupted.length > 0
}

/** Prints what a part does next, and does it. A failure or a hang is known by the step that it happened in. */
export async function step<T>(text: string, work: () => T | Promise<T>): Promise<T> {
  console.error(`[${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s] ${text}`)
  process.send?.({ step: text } satisfies PartMessage)
  let fail: (reason: Error) => void = () => {}
  const givenUp = new Promise<never>((_, reject) => (fail = reject))
  const timer = setTimeout(() => fail(new Error(`not done within ${limitMinutes} minutes`)), limitMinutes * 60_000)
  running.add(fail)
  try {
    return await Promise.race([work(), givenUp])
  } catch (error) {
    failed ??= { text, error }
    throw error
  } finally {
    clearTimeout(timer)
    running.delete(fail)
  }
}
