import { SaxesParser } from 'saxes'

/** Far more than a program sends. */
export const maxRequestBytes = 16 * 1024
const maxDepth = 16
const maxTextCharacters = 1_000

interface AutodiscoverRequest {
  address: string
  /** The form of answer that is asked for; undefined where none is named. */
  schema: string | undefined
}

/**
 * Reads what Outlook sends. A document type is refused before anything of it is looked at, so that there are no entities but the five of XML, and
 * nothing is ever fetched. Returns what is wrong with it instead where it is no such request.
 */
export function parseAutodiscoverRequest(text: string): AutodiscoverRequest | { problem: string } {
  const found = new Map<string, string>()
  const open: string[] = []
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('error', refuse)
  parser.on('doctype', () => refuse(new Error('it has a document type')))
  parser.on('opentag', ({ name }) => {
    open.push(name.slice(name.indexOf(':') + 1))
    if (open.length > maxDepth) refuse(new Error('its elements are too deep'))
  })
  parser.on('closetag', () => void open.pop())
  const collect = (piece: string) => {
    const name = open.at(-1)
    if (name !== 'EMailAddress' && name !== 'AcceptableResponseSchema') return
    found.set(name, `${found.get(name) ?? ''}${piece}`.slice(0, maxTextCharacters))
  }
  parser.on('text', collect)
  parser.on('cdata', collect)
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { problem: error.message }
  }
  const address = found.get('EMailAddress')?.trim()
  if (address === undefined || address === '') return { problem: 'it names no EMailAddress' }
  return { address, schema: found.get('AcceptableResponseSchema')?.trim() }
}

class RefusedError extends Error {}

/** The parser stops where its handler throws. */
function refuse({ message }: Error): never {
  throw new RefusedError(message.slice(0, 200))
}
