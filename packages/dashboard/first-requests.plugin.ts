import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type ESTree, parseSync, type Plugin, type Rolldown } from 'vite'

/** Read by the server (http/first-requests.ts), which this package cannot import. */
interface FirstRequests {
  path: string
  scripts: string[]
  styles: string[]
  asksAround: string[]
  asks: string[]
}

/** A parsed `createRoute` call. */
interface Route {
  parent: string
  /** Empty if the route only has an id. */
  path: string
  /** The module of its page; undefined if it is part of the entry chunk. */
  page?: string
  asks: string[]
}

const routeFiles = /\/src\/(.*\.routes|routes\/signed-in)\.ts$/

/**
 * Writes the chunks and API requests that each page starts with, so that the server can send preload links. Otherwise
 * the browser discovers them one round trip after the other, which takes a second on a slow network.
 */
export const firstRequests = (): Plugin => ({
  name: 'first-requests',
  apply: 'build',
  // Removed from the build: only this plugin reads them.
  transform: {
    filter: { id: routeFiles, code: 'asks: [' },
    handler: (code) => code.replaceAll(/\basks: \[[^\]]*\],?/g, '')
  },
  async generateBundle(_options, bundle) {
    const files = [...this.getModuleIds()].filter((id) => routeFiles.test(id))
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const entry = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => withImports(chunks, chunk)))
    const pages = (await readRoutes(files)).map((lineage) => firstOf(lineage, chunks, entry))
    // The server uses the first match, so `/projects/new` must precede `/projects/$projectId`.
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
  if (unknown !== undefined) throw new Error(`${path} requests ${unknown}, whose parameter is not in the path`)
  return {
    path,
    scripts: own.map(({ fileName }) => fileName),
    styles: [...new Set(own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
    asksAround: lineage.slice(0, -1).flatMap(({ asks }) => asks),
    asks: lineage.at(-1)!.asks
  }
}

/** A chunk after its imports. Vite loads styles in this order, so that a page's own styles win. */
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

/** Each page with its parent routes, outermost first. */
async function readRoutes(files: readonly string[]): Promise<Route[][]> {
  const byName = new Map<string, Route>()
  const all: Route[] = []
  for (const file of files) {
    for (const { name, isExported, route } of routesIn(file, await readFile(file, 'utf8'))) {
      all.push(route)
      // Exported names must be unique; local names may repeat.
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
  // A parent route is not a page; its index page is a child.
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
  if (text === undefined) throw new Error('Write the requests of a route as literals: the plugin does not run code')
  return text
}

const nameOf = (node: ESTree.Node): string | undefined => (node.type === 'Identifier' ? node.name : undefined)

const textOf = (node: ESTree.Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
