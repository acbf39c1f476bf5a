import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { messageOf } from '../../text/message-of.ts'
import { withoutEntities } from '../../text/xml.ts'

export const maxRequestBytes = 16 * 1024
const maxDepth = 16
const maxTextCharacters = 1_000

interface AutodiscoverRequest {
  address: string
  schema: string | undefined
}

const parser = new XMLParser({
  ignoreAttributes: true,
  processEntities: false,
  removeNSPrefix: true,
  parseTagValue: false,
  maxNestedTags: maxDepth
})

/** Rejects document types before parsing: no custom entities and no external fetches (XXE). */
export function parseAutodiscoverRequest(text: string): AutodiscoverRequest | { problem: string } {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return { problem: 'a document type is not allowed' }
  if (/&(?!(?:lt|gt|quot|apos|amp|#\d+|#x[\da-f]+);)/i.test(text)) return { problem: 'custom entities are not allowed' }
  let document: unknown
  try {
    document = parser.parse(text)
  } catch (error) {
    return { problem: messageOf(error).slice(0, 200) }
  }
  const validity = XMLValidator.validate(text)
  if (validity !== true) return { problem: validity.err.msg.slice(0, 200) }
  const request = memberOf(memberOf(document, 'Autodiscover'), 'Request')
  const address = textOf(memberOf(request, 'EMailAddress'))
  if (address === undefined || address === '') return { problem: 'EMailAddress is missing' }
  return { address, schema: textOf(memberOf(request, 'AcceptableResponseSchema')) }
}

const memberOf = (parent: unknown, name: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
    ? (parent as Record<string, unknown>)[name]
    : undefined

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? withoutEntities(value).slice(0, maxTextCharacters).trim() : undefined
