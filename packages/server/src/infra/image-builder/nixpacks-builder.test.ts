import { mkdir, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { createMemoryEngine } from '../../../test/fakes/memory-container-engine.ts'
import type { Git } from '../git/git.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { createNixpacksBuilder, nixpacksArgv, railpackArgv } from './nixpacks-builder.ts'
import type { BuildTask } from './image-builder.ts'

const commands = { buildCmd: '-x; $(id)', startCmd: 'node a' }

test('the arguments of both programs', () => {
  expect(nixpacksArgv('/s', '/o', commands)).toEqual(['nixpacks', 'build', '/s', '--out', '/o', '--no-cache', '--build-cmd=-x; $(id)', '--start-cmd=node a']) // oxfmt-ignore
  expect(nixpacksArgv('/s', '/o', { buildCmd: null, startCmd: null })).toEqual(['nixpacks', 'build', '/s', '--out', '/o', '--no-cache']) // oxfmt-ignore
  expect(railpackArgv('/s', 't:1', commands)).toEqual(['railpack', 'build', '--name', 't:1', '--build-cmd=-x; $(id)', '--start-cmd=node a', '/s']) // oxfmt-ignore
})

const archive = () => {
  const tar = pack()
  tar.entry({ name: 'a.js' }, 'x')
  tar.finalize()
  return Readable.from(tar, { objectMode: false })
}
const git = { archive } as unknown as Git
const limits = { memoryBytes: 1, cpus: 1, pids: 1, contextBytes: 1e6 }

function task(type: 'NODEJS' | 'WORDPRESS'): BuildTask & { log: string[] } {
  const log: string[] = []
  return {
    source: { repository: { directory: '/r', commitHash: 'c' }, type, buildCmd: null, startCmd: null, port: null, buildEnv: { A: 'b' } },
    tag: 't:1',
    labels: { l: 'm' },
    network: 'n',
    signal: new AbortController().signal,
    onLog: (text) => log.push(text),
    log
  } // oxfmt-ignore
}

describe('an external builder', () => {
  test('Nixpacks writes the Dockerfile, the engine builds it', async () => {
    const engine = createMemoryEngine()
    const run: Run = async (argv) => {
      const out = argv[argv.indexOf('--out') + 1]!
      await mkdir(`${out}/.nixpacks`)
      await writeFile(`${out}/.nixpacks/Dockerfile`, 'FROM scratch')
      return { stdout: 'planned', stderr: '' }
    }
    const work = task('NODEJS')
    const built = await createNixpacksBuilder({ program: 'nixpacks', git, engine, run, limits }).build(work)
    expect(built).toMatchObject({ port: 3000, readOnlyRoot: false, description: 'NODEJS by nixpacks' })
    expect((await engine.findImage('t:1'))?.labels).toEqual({ l: 'm' })
    expect(work.log.join('')).toContain('they are not passed to the build')
  })

  test('a generated Dockerfile is checked like the repository’s own', async () => {
    const run: Run = async (argv) => {
      const out = argv[argv.indexOf('--out') + 1]!
      await mkdir(`${out}/.nixpacks`)
      await writeFile(`${out}/.nixpacks/Dockerfile`, 'FROM b6873b3a6cd8')
      return { stdout: '', stderr: '' }
    }
    const builder = createNixpacksBuilder({ program: 'nixpacks', git, engine: createMemoryEngine(), run, limits })
    await expect(builder.build(task('NODEJS'))).rejects.toThrow('could be an image ID')
  })

  test('reports a missing program', async () => {
    const run: Run = () => Promise.reject(new ProcessError('nixpacks: is not installed', 'missing', undefined, ''))
    const builder = createNixpacksBuilder({ program: 'nixpacks', git, engine: createMemoryEngine(), run, limits })
    await expect(builder.build(task('NODEJS'))).rejects.toThrow('nixpacks is not installed on this server. Ask an administrator to install it or to use the built-in builder.')
    await expect(builder.build(task('WORDPRESS'))).rejects.toThrow('does not build projects of type WORDPRESS')
  }) // oxfmt-ignore
})
