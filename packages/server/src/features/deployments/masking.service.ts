import { openThread, type Thread, threadScript } from '../../infra/worker-thread/worker-thread.ts'
import { isSecretValue, type Variable } from './secret-value.policy.ts'

export interface MaskingRequest {
  /** `output` continues the previous output; `end` and `sentence` end it. `describe`: count of shortened values. */
  kind: 'describe' | 'output' | 'end' | 'sentence'
  text: string
}

/** Rejects with WorkerThreadError if its thread fails: then show nothing more. */
export interface Masker {
  /** Output in pieces that may split a secret; returns what is final. */
  output(text: string): Promise<string>
  /** Returns the output held back so far. */
  end(): Promise<string>
  /** An independent text, preceded by the output held back so far. */
  sentence(text: string): Promise<string>
  countShortened(): Promise<number>
  close(): Promise<void>
}

// A log of 8 MiB takes a second; building the matcher for the largest variables another two.
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
