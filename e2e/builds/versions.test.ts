import { nodeRuntime } from '@panel/contract/runtimes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBuildBench } from './image-builder.harness.ts'

let bench: Awaited<ReturnType<typeof createBuildBench>>
beforeAll(async () => {
  bench = await createBuildBench(['node'])
})
afterAll(async () => {
  await bench?.close()
})

const textOf = async ({ url }: { url: string }) => (await fetch(url)).text()
const server = (answer: string) =>
  `require('node:http').createServer((request, response) => response.end(${answer})).listen(process.env.PORT)`

test.each([nodeRuntime.versions.at(0)!, nodeRuntime.versions.at(-1)!])(
  'Node.js %s builds and runs a project that asks for it, with npm',
  async (version) => {
    const files = {
      'package.json': JSON.stringify({
        name: 'app',
        engines: { node: `^${version}.0.0` },
        scripts: { build: 'node -p process.version > built.txt && npm --version', start: 'node server.js' }
      }),
      'server.js': server(`require('node:fs').readFileSync('built.txt', 'utf8') + process.version`)
    }
    const built = await bench.buildFiles(files, { type: 'NODEJS' })
    expect(built.log).toContain(`Node.js ${version} (package.json asks for ^${version}.0.0)`)
    const [building, running] = (await textOf(await bench.start(built))).split('\n')
    expect(building).toMatch(new RegExp(`^v${version}\\.`))
    expect(running).toBe(building)
  }
)

test('Bun installs and builds by its lock file', async () => {
  const files = {
    'package.json': JSON.stringify({ name: 'app', scripts: { build: 'bun --version > built.txt', start: 'node server.js' }, dependencies: { ms: '2.1.3' } }),
    'bun.lock': bunLock,
    'server.js': server(`require('ms')(60000) + require('node:fs').readFileSync('built.txt', 'utf8')`)
  } // oxfmt-ignore
  const built = await bench.buildFiles(files, { type: 'NODEJS' })
  expect(built.description).toContain('Bun 1')
  expect(await textOf(await bench.start(built))).toMatch(/^1m1\.\d+/)
})

const bunLock = `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "app", "dependencies": { "ms": "2.1.3" } } },
  "packages": { "ms": ["ms@2.1.3", "", {}, "sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA=="] }
}
`
