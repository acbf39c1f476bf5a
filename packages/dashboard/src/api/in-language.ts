import { ApiError } from '@panel/client'
import { NotProvedError, UnreachableError } from './errors.ts'

/** English is what the server says. */
const sentences: Readonly<Record<string, () => Promise<typeof import('./error-sentences.de.ts')>>> = {
  de: () => import('./error-sentences.de.ts')
}

/** What went wrong, in the language of the page as far as its code tells it; loaded with the first error. */
export async function inLanguage(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error
  const known = await sentences[document.documentElement.lang]?.().catch(() => undefined)
  const sentence = known && sentenceOf(known.german, error)
  if (sentence !== undefined) error.message = sentence
  return error
}

type Sentences = (typeof import('./error-sentences.de.ts'))['german']

function sentenceOf(all: Sentences, error: Error): string | undefined {
  if (error instanceof UnreachableError) return all.unreachable
  if (error instanceof NotProvedError) return all.notProved
  if (!(error instanceof ApiError) || error.code === undefined) return undefined
  // One of a newer version is not known here.
  const said = (all as Partial<Sentences>)[error.code]?.replace('{{sentence}}', () => error.message)
  if (said === undefined || error.retryAfterSeconds === undefined) return said
  return `${said} ${all.later.replace('{{seconds}}', String(error.retryAfterSeconds))}`
}
