import { openThread, type Thread, threadScript } from '../../infra/worker-thread/worker-thread.ts'
import { isSecretValue, type Variable } from './secret-value.policy.ts'

/** What the thread is asked (secret-masker.worker.ts). */
export interface MaskingRequest {
  /** `output` goes on where the output before it ended; `end` and `sentence` end it. `describe`: how many values are not looked for in all forms. */
  kind: 'describe' | 'output' | 'end' | 'sentence'
  text: string
}

/** Masks what a deployment writes, in its order. Rejects with WorkerThreadError when its thread has failed: then nothing more can be shown. */
export interface Masker {
  /** Output in pieces, which may cut a secret: what is decided by now. */
  output(text: string): Promise<string>
  /** What was held back of the output. */
  end(): Promise<string>
  /** A text of its own, after what was held back of the output. */
  sentence(text: string): Promise<string>
  /** How many values are too large to be looked for in all forms. */
  countShortened(): Promise<number>
  close(): Promise<void>
}

// A log of 8 MiB takes a second, and what is looked for of the largest variables another two.
const answerWithinMs = 60_000

export function openMasker(variables: readonly Variable[]): Masker {
  const secrets = variables.filter(isSecretValue)
  if (secrets.length === 0) return withoutSecrets
  const script = threadScript('./secret-masker.worker', import.meta.url)
  const thread: Thread<MaskingRequest, string> = openThread(script, secrets, { answerWithinMs })
  const ask = (kind: MaskingRequest['kind'], text = '') => thread.ask({ kind, text })
  return {
    output: (text) => ask('output', text),
    end: () => ask('end'),
    sentence: (text) => ask('sentence', text),
    countShortened: async () => Number(await ask('describe')),
    close: () => thread.close()
  }
}

/** A whole text. */
export async function maskSecrets(variables: readonly Variable[], text: string): Promise<string> {
  const masker = openMasker(variables)
  try {
    return await masker.sentence(text)
  } finally {
    await masker.close()
  }
}

const withoutSecrets: Masker = {
  output: async (text) => text,
  end: async () => '',
  sentence: async (text) => text,
  countShortened: async () => 0,
  close: async () => {}
}
