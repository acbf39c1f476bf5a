// `npm run graph`: draws which feature imports which into docs/architecture.md. With --check it writes nothing and fails if the drawing is
// outdated. Fails on a cycle either way.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const features = join(root, 'packages/server/src/features')
const document = join(root, 'docs/architecture.md')
const [begin, end] = ['<!-- features: npm run graph -->', '<!-- /features -->']

const graph = readGraph()
const cycle = findCycle(graph)
if (cycle) fail(`Features import each other in a circle: ${cycle.join(' → ')}`)

const text = readFileSync(document, 'utf8')
const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
if (after < before) fail(`${document} has no markers for the graph`)
const drawn = `${text.slice(0, before)}\n\n${draw(graph)}\n\n${text.slice(after)}`
if (process.argv.includes('--check')) {
  if (drawn !== text) fail('The graph in docs/architecture.md is stale: npm run graph')
} else {
  writeFileSync(document, drawn)
}

/** Imported features per feature, including types, without tests. */
function readGraph() {
  const slices = readdirSync(features, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(slices.map(({ name }) => [name, importsOf(name)]))
}

function importsOf(slice) {
  const found = new Set()
  const files = readdirSync(join(features, slice)).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !/\.test\.ts$/.test(file)
  )
  for (const file of files) {
    const source = readFileSync(join(features, slice, file), 'utf8')
    for (const [, target] of source.matchAll(/(?:from|import\()\s*'(\.\.?\/[^']+)'/g)) {
      const path = relative(features, resolve(features, slice, target)).split('/')
      if (path.length > 1 && path[0] !== '..' && path[0] !== slice) found.add(path[0])
    }
  }
  return [...found].sort()
}

function findCycle(edges) {
  const done = new Set()
  const visit = (node, path) => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of edges.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Transitive reduction: a feature may also import from everything that it reaches. */
function draw(edges) {
  const reaches = (from, target) => (edges.get(from) ?? []).some((next) => next === target || reaches(next, target))
  const arrows = [...edges].flatMap(([feature, imported]) =>
    imported
      .filter((target) => !imported.some((other) => other !== target && reaches(other, target)))
      .map((target) => `  ${feature} --> ${target}`)
  )
  const alone = [...edges.keys()].filter(
    (feature) => !arrows.some((arrow) => arrow.split(/ --> | +/).includes(feature))
  )
  return ['```mermaid', 'graph TD', ...alone.map((feature) => `  ${feature}`), ...arrows, '```'].join('\n')
}

function fail(problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
