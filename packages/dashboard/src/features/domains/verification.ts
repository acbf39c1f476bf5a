import type { Schema } from '../../api/client.ts'
import type { Tone } from '../../ui/tone.ts'

interface SeenAs {
  word: 'sees.it' | 'sees.other' | 'sees.nothing'
  tone: Tone
}

export function seenAs({ values }: Pick<Schema<'DetectedRecord'>, 'values'>, expected: string): SeenAs {
  if (values.includes(expected)) return { word: 'sees.it', tone: 'ok' }
  return values.length > 0 ? { word: 'sees.other', tone: 'warn' } : { word: 'sees.nothing', tone: 'bad' }
}
