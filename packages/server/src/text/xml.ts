const isXml = Symbol('XML')

export interface Xml {
  readonly [isXml]: true
  readonly text: string
}

/** Tagged template: values are escaped, also for double-quoted attributes; XML fragments are not. */
export function xml(parts: TemplateStringsArray, ...values: readonly (string | number | Xml | readonly Xml[])[]): Xml {
  const text = parts.map((part, index) => (index === 0 ? part : `${textOf(values[index - 1]!)}${part}`)).join('')
  return { [isXml]: true, text }
}

export const xmlDocument = ({ text }: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`

function textOf(value: string | number | Xml | readonly Xml[]): string {
  if (typeof value === 'string') return escape(value)
  if (typeof value === 'number') return String(value)
  return isXml in value ? value.text : value.map(({ text }) => text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}
// XML 1.0 §2.2 forbids these even as references.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escape = (text: string): string =>
  text.replace(impossible, '\ufffd').replace(/[&<>"']/g, (character) => entities[character]!)

/** Decodes the predefined entities; `&amp;` last, so that nothing is decoded twice. */
export function withoutEntities(value: string): string {
  return value
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&')
}
