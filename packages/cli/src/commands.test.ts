import { execFileSync } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { splitArguments } from './command.ts'
import { commands } from './commands.ts'
import { type Context, exitCodes } from './context.ts'
import { createProgram } from './program.ts'
import { run } from './run.ts'

async function call(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const ended = { code: -1, stdout: '', stderr: '' }
  const context: Context = {
    env: {},
    cwd: '/',
    stdin: process.stdin,
    stdout: { write: (text: string) => (ended.stdout += text) },
    stderr: { write: (text: string) => (ended.stderr += text) },
    signal: new AbortController().signal
  }
  ended.code = await run(argv, context)
  return ended
}

describe.each(commands)('panel $name', (command) => {
  test('has help with an example', async () => {
    const { code, stdout } = await call(...command.name.split(' '), '--help')
    expect(code).toBe(exitCodes.done)
    expect(stdout).toContain(`$ panel ${command.example}`)
    expect(stdout).toContain('--json')
  })

  test('takes its own example', async () => {
    const words = command.example.replace(/ [<>] \S+$/, '').split(' ')
    const started: string[] = []
    const output = { write: () => true }
    const parser = createProgram(
      commands,
      { stdout: output, stderr: output },
      async ({ name, args }, given, options) => {
        const named = typeof options.project === 'string' ? options.project : undefined
        expect(splitArguments(args === undefined ? {} : { args }, given, named)).toBeTypeOf('object')
        started.push(name)
      }
    )
    await parser.parseAsync(words, { from: 'user' })
    expect(started).toEqual([command.name])
  })
})

test.each([
  [[], exitCodes.done],
  [['--help'], exitCodes.done],
  [['help', 'deploy'], exitCodes.done],
  [['nothing'], exitCodes.usage],
  [['env'], exitCodes.usage],
  [['env', 'nothing'], exitCodes.usage],
  [['whoami', '--wide'], exitCodes.usage],
  [['whoami', 'now'], exitCodes.usage],
  [['link'], exitCodes.usage],
  [['logs', '--tail'], exitCodes.usage],
  [['whoami'], exitCodes.notSignedIn]
])('panel %j exits with %i', async (argv, code) => {
  vi.stubEnv('HOME', '/nonexistent')
  expect(await call(...argv)).toMatchObject({ code })
  vi.unstubAllEnvs()
})

test.each([
  ['[project]', [], undefined, { project: undefined, rest: [] }],
  ['[project]', ['shop'], undefined, { project: 'shop', rest: [] }],
  ['[project] <name>', ['KEY'], undefined, { project: undefined, rest: ['KEY'] }],
  ['[project] <name>', ['shop', 'KEY'], undefined, { project: 'shop', rest: ['KEY'] }],
  ['[project] <name>', ['KEY'], 'shop', { project: 'shop', rest: ['KEY'] }],
  ['[project] <name>', ['other', 'KEY'], 'shop', 'Too many arguments'],
  ['[project] <name…>', ['shop', 'A', 'B'], undefined, { project: 'shop', rest: ['A', 'B'] }],
  ['[project] [name=value…]', ['port=3000'], undefined, { project: undefined, rest: ['port=3000'] }],
  ['[project] <name…>', ['A=1', 'B=2'], undefined, { project: undefined, rest: ['A=1', 'B=2'] }],
  ['[project] <name…>', ['A', 'B'], 'shop', { project: 'shop', rest: ['A', 'B'] }],
  ['<name>', [], undefined, 'Missing arguments'],
  ['<name>', ['a', 'b'], undefined, 'Too many arguments']
] as const)('%s takes %j with --project %s', (args, given, named, expected) => {
  expect(splitArguments({ args }, given, named)).toEqual(expected)
})

describe('completion', () => {
  const complete = (...words: string[]): string[] => {
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const output = { write: () => true }
    createProgram(commands, { stdout: output, stderr: output }, () => Promise.resolve()).parse(['complete', ...words], {
      from: 'user'
    })
    log.mockRestore()
    return lines
  }

  test('proposes commands, their second words and their options', () => {
    expect(complete('--', 'depl').join('\n')).toMatch(/^deploy\t/m)
    expect(complete('--', 'env', '').join('\n')).toMatch(/^pull\t/m)
    expect(complete('--', 'deploy', '--').join('\n')).toMatch(/^--detach\t/m)
  })

  test.each(['bash', 'zsh', 'fish'])('prints a script for %s', (shell) => {
    const script = complete(shell).join('\n')
    expect(script).toContain('complete --')
    if (shell === 'bash') execFileSync('bash', ['-n'], { input: script })
  })
})
