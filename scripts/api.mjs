// `npm run client`: writes the types of packages/client from the OpenAPI document that the routes make. With --check (`npm run check`) nothing is
// written: it fails where they are not those of the routes, or where Redocly or Spectral have something against the document.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const typesPath = join(root, 'packages/client/src/schema.ts')
const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const built = pathToFileURL(join(root, 'packages/server/dist/api-document.js')).href
const { makeApiDocument } = await import(built)
const document = await makeApiDocument()
const types = await typesOf(document)
const liveComponents = JSON.stringify(document['x-live-events']).matchAll(/components\/schemas\/(\w+)/g)

// What a linter has against the document, and why it stays. Each entry is needed, or it fails too.
const accepted = [
  {
    problem: /^redocly no-server-example.com /,
    why: 'The document of a panel names its own address, which by default is this machine.'
  },
  {
    problem: new RegExp(`^redocly no-unused-components .*"(${[...liveComponents].map(([, name]) => name).join('|')})"`),
    why: 'The events of the live channel name them, and Redocly does not look into extensions.'
  }
]
const problems = []
if (!options.check) {
  writeFileSync(typesPath, types)
} else {
  if (readFileSync(typesPath, 'utf8') !== types)
    problems.push('packages/client/src/schema.ts is not of these routes: npm run client')
  const found = [...(await redocly(document)), ...(await spectral(document))]
  problems.push(...found.filter((line) => !accepted.some(({ problem }) => problem.test(line))))
  for (const { problem } of accepted)
    if (!found.some((line) => problem.test(line))) problems.push(`nothing is accepted any more by ${problem}`)
}
if (problems.length > 0) console.error(problems.join('\n'))
process.exit(problems.length > 0 ? 1 : 0)

/** Examples are left to the document. */
async function typesOf(source) {
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const { format, resolveConfig } = await import('prettier')
  const plain = JSON.parse(JSON.stringify(source), (name, value) => (name.startsWith('example') ? undefined : value))
  const nodes = await openapiTypescript(plain, { alphabetize: true, defaultNonNullable: false })
  const text = `// Made by \`npm run client\`; do not edit.\n\n${astToString(nodes)}`
  return format(text, { ...(await resolveConfig(typesPath)), filepath: typesPath })
}

async function redocly(source) {
  const { createConfig, lintFromString } = await import('@redocly/openapi-core')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found = await lintFromString({ source: JSON.stringify(source), config })
  return found.map(({ ruleId, message, location }) => `redocly ${ruleId} ${location[0]?.pointer ?? ''} ${message}`)
}

async function spectral(source) {
  const { Spectral } = (await import('@stoplight/spectral-core')).default
  const { oas } = (await import('@stoplight/spectral-rulesets')).default
  const linter = new Spectral()
  linter.setRuleset({
    extends: [oas],
    rules: {
      // Since OpenAPI 3.1 a scheme that is not OAuth may name roles (§4.8.30), and ours are the scopes of tokens; the rule is that of 3.0.
      'oas3-operation-security-defined': 'off'
    }
  })
  const found = await linter.run(source)
  return found.map(({ code, message, path }) => `spectral ${code} ${path.join('/')} ${message}`)
}
