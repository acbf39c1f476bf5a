import { type Document, operationsOf, type Parameter, type Response } from './document.types.ts'

export function shareResponses(document: Document): void {
  const uses = new Map<string, (() => void)[]>()
  const responses: Record<string, Response> = {}
  for (const operation of operationsOf(document))
    for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
      const codes = Object.keys(response.content?.['application/json']?.examples ?? {})
      if (codes.length === 0) continue
      const name = codes.map(pascalCase).join('Or')
      uses.set(name, [
        ...(uses.get(name) ?? []),
        () => {
          responses[name] = response
          operation.responses[status] = { $ref: `#/components/responses/${name}` }
        }
      ])
    }
  for (const share of uses.values()) if (share.length > 2) for (const apply of share) apply()
  document.components.responses = responses
}

const pascalCase = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())

const shared: Readonly<Record<string, string>> = { page: 'Page', limit: 'Limit' }

/**
 * Shares list parameters. The most common variant gets the plain name, others carry their default: `Limit`, `Limit50`.
 */
export function shareParameters(document: Document): void {
  const uses = new Map<string, { parameter: Parameter; share: ((name: string) => void)[] }>()
  for (const operation of operationsOf(document))
    for (const [index, parameter] of (operation.parameters as Parameter[] | undefined)?.entries() ?? []) {
      if (parameter.in !== 'query' || shared[parameter.name] === undefined) continue
      const text = JSON.stringify(parameter)
      const use = uses.get(text) ?? { parameter, share: [] }
      use.share.push((name) => (operation.parameters![index] = { $ref: `#/components/parameters/${name}` }))
      uses.set(text, use)
    }
  const parameters: Record<string, Parameter> = {}
  for (const { parameter, share } of [...uses.values()].sort((a, b) => b.share.length - a.share.length)) {
    const plainName = shared[parameter.name]!
    const name = parameters[plainName] === undefined ? plainName : `${plainName}${String(parameter.schema.default)}`
    if (share.length < 2 || parameters[name] !== undefined) continue
    parameters[name] = parameter
    for (const apply of share) apply(name)
  }
  document.components.parameters = parameters
}
