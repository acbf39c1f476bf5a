import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { messageOf } from '../../text/message-of.ts'
import { withoutEntities } from '../../text/xml.ts'

/** Far more than a program sends. */
export const maxRequestBytes = 16 * 1024
const maxDepth = 16
const maxTextCharacters = 1_000

interface AutodiscoverRequest {
  address: string
  /** The form of answer that is asked for; undefined where none is named. */
  schema: string | undefined
}

const parser = new XMLParser({
  ignoreAttributes: true,
  processEntities: false,
  removeNSPrefix: true,
  parseTagValue: false,
  maxNestedTags: maxDepth
})

/**
 * Reads what Outlook sends. A document type is refused before anything of it is looked at, so that there are no entities but the five of XML, and
 * nothing is ever fetched. Returns what is wrong with it instead where it is no such request.
 */
export function parseAutodiscoverRequest(text: string): AutodiscoverRequest | { problem: string } {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return { problem: 'it has a document type' }
  if (/&(?!(?:lt|gt|quot|apos|amp|#\d+|#x[\da-f]+);)/i.test(text))
    return { problem: 'it has an entity that is none of XML’s' }
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
  if (address === undefined || address === '') return { problem: 'it names no EMailAddress' }
  return { address, schema: textOf(memberOf(request, 'AcceptableResponseSchema')) }
}

const memberOf = (parent: unknown, name: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
    ? (parent as Record<string, unknown>)[name]
    : undefined

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? withoutEntities(value).slice(0, maxTextCharacters).trim() : undefined
