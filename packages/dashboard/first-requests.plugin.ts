import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type ESTree, parseSync, type Plugin, type Rolldown } from 'vite'

/** As the server reads it (http/first-requests.ts), of which this package knows the API alone. */
interface FirstRequests {
  path: string
  scripts: string[]
  styles: string[]
  asksAround: string[]
  asks: string[]
}

/** A `createRoute` as it is written down. */
interface Route {
  parent: string
  /** Nothing where it has an id alone. */
  path: string
  /** The module of its page; of one that is in the entry already there is none. */
  page?: string
  asks: string[]
}

const routeFiles = /\/src\/(.*\.routes|routes\/signed-in)\.ts$/

/**
 * Which chunks and which answers of the API a page begins with. Without that a browser hears of both only when the program runs, one way to
 * the server later each; on a slow network that is a second.
 */
export const firstRequests = (): Plugin => ({
  name: 'first-requests',
  apply: 'build',
  // The program does not read them: its loaders ask.
  transform: {
    filter: { id: routeFiles, code: 'asks: [' },
    handler: (code) => code.replaceAll(/\basks: \[[^\]]*\],?/g, '')
  },
  async generateBundle(_options, bundle) {
    const files = [...this.getModuleIds()].filter((id) => routeFiles.test(id))
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const entry = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => withImports(chunks, chunk)))
    const pages = (await readRoutes(files)).map((lineage) => firstOf(lineage, chunks, entry))
    // The server takes the first that an address has the form of: `/projects/new` before `/projects/$projectId`.
    const unknownsIn = ({ path }: FirstRequests) => path.split('$').length
    pages.sort((one, other) => unknownsIn(one) - unknownsIn(other))
    this.emitFile({ type: 'asset', fileName: 'first-requests.json', source: JSON.stringify(pages) })
  }
})

function firstOf(
  lineage: readonly Route[],
  chunks: readonly Rolldown.OutputChunk[],
  entry: ReadonlySet<Rolldown.OutputChunk>
): FirstRequests {
  const taken = new Set(
    lineage.flatMap(({ page }) => {
      const chunk = page && chunks.find(({ moduleIds }) => moduleIds.includes(page))
      return chunk ? withImports(chunks, chunk) : []
    })
  )
  const own = [...taken].filter((chunk) => !entry.has(chunk))
  const path = `/${lineage.flatMap(({ path }) => path.split('/').filter(Boolean)).join('/')}`
  const unknown = lineage
    .flatMap(({ asks }) => asks)
    .find((ask) => ask.match(/\$\w+/g)?.some((name) => !path.includes(name)))
  if (unknown !== undefined) throw new Error(`${path} asks for ${unknown}, and has no such part`)
  return {
    path,
    scripts: own.map(({ fileName }) => fileName),
    styles: [...new Set(own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
    asksAround: lineage.slice(0, -1).flatMap(({ asks }) => asks),
    asks: lineage.at(-1)!.asks
  }
}

/** A chunk behind all that it cannot run without: in this order Vite loads their styles, so that a page's own count last. */
function withImports(
  chunks: readonly Rolldown.OutputChunk[],
  chunk: Rolldown.OutputChunk,
  seen = new Set<Rolldown.OutputChunk>()
): Rolldown.OutputChunk[] {
  if (seen.has(chunk)) return []
  seen.add(chunk)
  const imported = chunk.imports.flatMap((name) => chunks.find(({ fileName }) => fileName === name) ?? [])
  return [...imported.flatMap((each) => withImports(chunks, each, seen)), chunk]
}

/** Each page with the routes around it, the outermost first. */
async function readRoutes(files: readonly string[]): Promise<Route[][]> {
  const byName = new Map<string, Route>()
  const all: Route[] = []
  for (const file of files) {
    for (const { name, isExported, route } of routesIn(file, await readFile(file, 'utf8'))) {
      all.push(route)
      // Those of other files are known by what they are exported as; names that no other file sees may come again.
      if (isExported && byName.has(name)) throw new Error(`${file}: there is another route ${name}`)
      if (isExported) byName.set(name, route)
    }
  }
  const lineageOf = (route: Route): Route[] => {
    if (route.parent === 'rootRoute') return [route]
    const parent = byName.get(route.parent)
    if (!parent) throw new Error(`The route ${route.path}: its parent ${route.parent} is not exported`)
    return [...lineageOf(parent), route]
  }
  const lineages = all.map(lineageOf)
  // What is around pages is none itself; the one of the same address is below it.
  const around = new Set(lineages.flatMap((lineage) => lineage.slice(0, -1)))
  return lineages.filter((lineage) => !around.has(lineage.at(-1)!))
}

function* routesIn(file: string, code: string): Iterable<{ name: string; isExported: boolean; route: Route }> {
  for (const statement of parseSync(file, code).program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declared = isExported ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations) {
      if (init?.type !== 'CallExpression' || nameOf(init.callee) !== 'createRoute') continue
      yield { name: nameOf(id) ?? '', isExported, route: routeOf(file, membersOf(init.arguments[0])) }
    }
  }
}

function routeOf(file: string, members: ReadonlyMap<string, ESTree.Node>): Route {
  const parent = members.get('getParentRoute')
  const component = members.get('component')
  const loader = component?.type === 'CallExpression' ? component.arguments[0] : undefined
  const loaded = loader?.type === 'ArrowFunctionExpression' ? loader.body : undefined
  const asks = membersOf(members.get('staticData')).get('asks')
  return {
    parent: (parent?.type === 'ArrowFunctionExpression' && nameOf(parent.body)) || '',
    path: textOf(members.get('path')) ?? '',
    ...(loaded?.type === 'ImportExpression' && { page: resolve(dirname(file), textOf(loaded.source) ?? '') }),
    asks: asks?.type === 'ArrayExpression' ? asks.elements.map(literal) : []
  }
}

function membersOf(node: ESTree.Node | null | undefined): Map<string, ESTree.Node> {
  if (node?.type !== 'ObjectExpression') return new Map()
  return new Map(
    node.properties.flatMap((each) => (each.type === 'Property' ? [[nameOf(each.key) ?? '', each.value]] : []))
  )
}

function literal(node: ESTree.Node | null): string {
  const text = textOf(node)
  if (text === undefined) throw new Error('What a route asks is written as literals: nothing of it is run here')
  return text
}

const nameOf = (node: ESTree.Node): string | undefined => (node.type === 'Identifier' ? node.name : undefined)

const textOf = (node: ESTree.Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
