import { describe, expect, test } from 'vitest'
import { guardDockerfile } from './dockerfile-rules.ts'

const guard = (text: string) => guardDockerfile(text, {})
const guarded = (text: string) => guard(text).text
const node = 'docker.io/library/node:20'
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('')

test('an image of the account’s own registry is named by its digest everywhere', () => {
  const [name, pinned] = ['10.0.0.1:5000/base:1', `10.0.0.1:5000/base@sha256:${'a'.repeat(64)}`]
  const text = `FROM ${name}\nFROM scratch\nCOPY --from=${name} /a /a`
  const options = { registryHosts: ['10.0.0.1:5000'] }
  expect(guardDockerfile(text, {}, options).references).toEqual([name])
  expect(guardDockerfile(text, {}, { ...options, pinnedImages: new Map([[name, pinned]]) })).toMatchObject({
    text: lines(`FROM ${pinned}`, 'FROM scratch', `COPY --from=${pinned} ["/a","/a"]`),
    references: []
  })
  expect(() => guard(text)).toThrow(/not a public hostname/)
})

describe('rewriting a Dockerfile', () => {
  test.each<[string, string, string]>([
    ['a canonical name', 'FROM node:20', lines(`FROM ${node}`)],
    ['in any case, with tabs', '  from\tnode:20  as\tBuild', lines(`FROM ${node} AS build`)],
    ['the latest', 'FROM node', lines('FROM docker.io/library/node:latest')],
    ['nothing', 'FROM scratch\nCOPY a /', lines('FROM scratch', 'COPY ["a","/"]')],
    ['an earlier stage', 'FROM node:20 AS b68\nFROM B68', lines(`FROM ${node} AS b68`, 'FROM b68')],
    ['a stage by name', 'FROM node:20 AS x\nFROM node:20\nCOPY --from=X /a /b', lines(`FROM ${node} AS x`, `FROM ${node}`, 'COPY --from=x ["/a","/b"]')],
    ['a stage by number', 'FROM node:20\nFROM node:20\nCOPY --chown=$U:1 --from=00 /a /b', lines(`FROM ${node}`, `FROM ${node}`, 'COPY --chown=$U:1 --from=0 ["/a","/b"]')],
    ['an image to copy from', 'FROM scratch\nCOPY --from=ghcr.io/a/b:1 /a /b', lines('FROM scratch', 'COPY --from=ghcr.io/a/b:1 ["/a","/b"]')],
    ['a variable of our own', 'ARG V=20\nARG I="node"\nFROM ${I}:$V', lines('ARG V=20', 'ARG I="node"', `FROM ${node}`)],
    ['a variable that names a stage', 'ARG B=x\nFROM node:20 AS x\nFROM ${B}', lines('ARG B=x', `FROM ${node} AS x`, 'FROM x')],
    ['a platform', 'FROM --platform=$BUILDPLATFORM node:20', lines(`FROM ${node}`)],
    ['over several lines', 'FR\\\nOM no\\ \t\n# why\n\n  # more\nde:20 \\\n AS b\nRUN x', lines(`FROM ${node} AS b`, 'RUN x')],
    ['no stage inside another instruction', 'FROM node:20\nRUN x \\\nFROM y\nCMD z', lines(`FROM ${node}`, 'RUN x FROM y', 'CMD z')],
    ['another escape', '# syntax=x\n# Escape = `\nFROM node:20 `\n AS b\nRUN a\\', lines('# escape=`', `FROM ${node} AS b`, 'RUN a\\')],
    ['a directive that comes too late', '# a comment\n# escape=`\nFROM node:20\nRUN a `\nRUN b', lines(`FROM ${node}`, 'RUN a `', 'RUN b')],
    ['line ends of Windows', 'FROM node:20\r\nRUN x \\\r\n y\r\n', lines(`FROM ${node}`, 'RUN x  y')],
    ['an end that goes on', 'FROM node:20\nRUN x \\', lines(`FROM ${node}`, 'RUN x')],
    ['sources in words, lists and with brackets', 'FROM node:20\nCOPY a  b /c/\nADD ["d e","/f"]\nCOPY [ab]*.txt /g/', lines(`FROM ${node}`, 'COPY ["a","b","/c/"]', 'ADD ["d e","/f"]', 'COPY ["[ab]*.txt","/g/"]')],
    ['cache mounts and links', 'FROM node:20\nRUN --mount=type=cache,target=/root/.npm,id=x \\\n  --mount=target=/y,type=cache npm ci --x\nCOPY --link --chown=1:1 a /', lines(`FROM ${node}`, 'RUN npm ci --x', 'COPY --chown=1:1 ["a","/"]')],
    ['a file that looks like an option', 'FROM node:20\nCOPY "--from=a" --from=b /', lines(`FROM ${node}`, 'COPY ["\\"--from=a\\"","--from=b","/"]')],
    ['shifts and strings are no here-documents', 'FROM node:20\nRUN echo $((1<<2)) && cat <<< x\nRUN ["sh","-c","cat <<EOF"]', lines(`FROM ${node}`, 'RUN echo $((1<<2)) && cat <<< x', 'RUN ["sh","-c","cat <<EOF"]')],
    ['labels of its own', 'FROM node:20\nLABEL a.panel.b="panel. c" maintainer="x y"\nLABEL description panel.x', lines(`FROM ${node}`, 'LABEL a.panel.b="panel. c" maintainer="x y"', 'LABEL description panel.x')]
  ])('%s', (_, text, expected) => {
    expect(guarded(text)).toBe(expected)
  }) // oxfmt-ignore

  test('lists each image once, without stages', () => {
    const text =
      'FROM node:20 AS a\nFROM a\nCOPY --from=a x y\nCOPY --from=nginx x y\nFROM index.docker.io/library/node:20'
    expect(guard(text).references).toEqual([node, 'docker.io/library/nginx:latest'])
  })

  test('notes that --platform is ignored', () => {
    expect(guard('FROM --platform=linux/arm64 node:20').notes).toEqual([{ code: 'PLATFORM_NOT_USED' }])
  })

  test('notes an ignored HEALTHCHECK once', () => {
    const check = 'HEALTHCHECK --interval=1s CMD true'
    expect(guard(`FROM node:20 AS a\n${check}\nFROM a\n${check}`).notes).toEqual([{ code: 'HEALTHCHECK_NOT_USED' }])
    expect(guard('FROM node:20\nhealthcheck none').notes).toEqual([])
  })
})

describe('rejects', () => {
  const id = 'b6873b3a6cd8'
  test.each<[string, string, RegExp]>([
    ['an id', `FROM ${id}`, /^Line 1 of the Dockerfile .*could be an image ID; write the name with a tag/],
    ['one digit of an id', 'FROM node:20\nFROM a', /Line 2 .*could be an image ID/],
    ['a number that is no stage in FROM', 'FROM node:20\nFROM 0', /could be an image ID/],
    ['a whole id', `FROM sha256:${'a'.repeat(64)}`, /is an image ID/],
    ['an id to copy from', `FROM node:20\nCOPY --from=${id} / /`, /could be an image ID/],
    ['an id over two lines', `FROM b687\\\n3b3a6cd8`, /could be an image ID/],
    ['an id by default', `ARG X=${id}\nFROM \${X}`, /could be an image ID/],
    ['an id behind a comment with a here-document', `FROM node:20\n# <<EOF\nFROM ${id}`, /could be an image ID/],
    ['an id in a here-document', `FROM node:20\nRUN cat <<EOF\nFROM ${id}\nEOF`, /Line 2 .*here-document/],
    ['a here-document behind a variable', 'FROM node:20\nRUN cat ${X}<<-"EOF"', /here-document/],
    ['a here-document to copy', 'FROM node:20\nCOPY <<EOF /x', /here-document/],
    ['an id named as its own stage', `FROM node:20 AS abc\nCOPY --from=abc / /`, /into itself/],
    ['an id that a later stage is named', `FROM node:20\nCOPY --from=abc / /\nFROM node:20 AS abc`, /could be an image ID/],
    ['the next stage', 'FROM node:20\nCOPY --from=0 / /', /could be an image ID/],
    ['a variable without a default', 'ARG X\nFROM ${X}', /uses \$X in FROM; give it a plain default/],
    ['a variable with a variable', 'ARG A=b6\nARG X=${A}8\nFROM ${X}', /give it a plain default/],
    ['a variable of a stage', 'FROM node:20\nARG X=node\nFROM $X', /give it a plain default/],
    ['a variable with an alternative', 'ARG X=node\nFROM ${X:-b68}', /unsupported variable/],
    ['a variable to copy from', 'ARG X=node\nFROM node:20\nCOPY --from=$X / /', /variable in --from/],
    ['an option in quotes', `FROM node:20\nCOPY --from="${id}" / /`, /invalid option/],
    ['an option with an escape', `FROM node:20\nCOPY --fr\\om=${id} / /`, /invalid option/],
    ['an option alone', `FROM node:20\nCOPY -- --from=${id} / /`, /invalid option/],
    ['a bind mount', 'FROM node:20\nRUN --mount=type=bind,from=x cat /y', /Line 2 .* RUN with .*--mount=type=bind.* requires BuildKit/],
    ['a mount without a type', 'FROM node:20\nRUN --mount=target=/x cat /x', /requires BuildKit/],
    ['a secret', 'FROM node:20\nRUN --mount=type=secret,id=npmrc npm ci', /requires BuildKit/],
    ['a cache that begins as another image', 'FROM node:20\nRUN --mount=type=cache,target=/x,from=node:22 x', /requires BuildKit/],
    ['an option beside a cache mount', 'FROM node:20\nRUN --mount=type=cache,target=/x --network=host x', /--network=host.* requires BuildKit/],
    ['a here-document behind a cache mount', 'FROM node:20\nRUN --mount=type=cache,target=/x <<EOF\nx\nEOF', /here-document/],
    ['a mode to copy with', 'FROM node:20\nCOPY a /a\nCOPY --link --chmod=755 b /b', /Line 3 .* COPY with the option --chmod, which requires BuildKit/],
    ['files not to copy', 'FROM node:20\nCOPY --exclude=*.md . /a', /--exclude, which requires BuildKit/],
    ['an option behind a strange space', 'FROM node:20\nRUN \u0085--network=host x', /requires BuildKit/],
    ['an unknown option of FROM', 'FROM --x=y node:20', /unknown option --x/],
    ['two escapes at the end', `FROM node:20\nRUN x \\\\\nFROM node:20`, /Line 2 .*two \\ characters/],
    ['an escape before a strange space', `FROM node:20\nADD a \\\u00a0\nRUN http://127.0.0.1/ x`, /ends with \\/],
    ['an instruction before FROM', 'RUN x\nFROM node:20', /RUN before the first FROM/],
    ['an unknown instruction', 'FROM node:20\n\nXROM node:20', /Line 3 .*"XROM"/],
    ['a control character', 'FROM node:20\nRUN a\rFROM b', /control character/],
    ['no FROM', '# FROM a', /no FROM/],
    ['a stage without a name', 'FROM node:20 AS', /invalid FROM/],
    ['a stage twice', 'FROM node:20 AS a\nFROM node:20 AS A', /twice/],
    ['a strange escape', '# escape=x\nFROM node:20', /other than/],
    ['a trigger', 'FROM node:20\nONBUILD ADD http://127.0.0.1/ /x', /ONBUILD, which is not supported/],
    ['a label of ours', 'FROM node:20\nLABEL a=b "panel.project"="x"', /label "panel.project"/],
    ['a label of ours in pieces', 'FROM node:20\nLABEL pan"el.pro"\\je\\\nct x', /label "panel.project"/],
    ['a label by a variable', 'FROM node:20\nENV P=panel.project\nLABEL ${P}=x', /label "\$\{P\}"/],
    ['an endless instruction', `FROM node:20\nRUN ${'x'.repeat(70_000)}`, /more than 60,000 bytes/],
    ['very many images', Array.from({ length: 30 }, (_, i) => `FROM node:${i}`).join('\n'), /more than 20 images/]
  ])('%s', (_, text, message) => {
    expect(() => guard(text)).toThrow(expect.objectContaining({ name: 'BuildError', message: expect.stringMatching(message) as string }))
  }) // oxfmt-ignore

  test.each([
    'http://127.0.0.1:6379/x', 'https://a.b/c', 'HTTP://a/b', '"http://a/b"', "h't'tp://a/b", 'h\\ttp:/', '$URL', '${X:-a}', 'ht`tp', 'git@host:a/b.git',
    'ssh://git@a/b', 'git://a/b', 'ftp://a/b', 'user@host:x', 'github.com/a/b'
  ])('ADD %s', (source) => {
    for (const text of [`ADD ${source} /x`, `ADD a ${source} /x`, `add --chown=1:1 ${JSON.stringify([source, '/x'])}`, `ADD ${source.slice(0, 1)}\\\n${source.slice(1)} /x`]) {
      expect(() => guard(`FROM node:20\n${text}`), text).toThrow(/Line 2 .*(from another host; use RUN with curl|not a plain path)/)
    }
  }) // oxfmt-ignore
})

describe('panel labels', () => {
  const labelled = (text: string, last: string[] = []) => guardDockerfile(text, { a: 'b' }, { last }).text
  const label = 'LABEL "a"="b"'

  test('start and end each stage', () => {
    const text = 'ARG V=20\nFROM node:$V\nRUN x\n# <<EOF\nFROM scratch\nLABEL a=c'
    const expected = ['ARG V=20', `FROM ${node}`, label, 'RUN x', label, 'FROM scratch', label, 'LABEL a=c', 'CMD []', label] // oxfmt-ignore
    expect(labelled(text, ['CMD []'])).toBe(lines(...expected))
  })

  test('cannot inject instructions', () => {
    expect(guardDockerfile('FROM scratch', { k: 'x"\nRUN y $HOME \\' }).text).toContain(
      'LABEL "k"="x\\" RUN y \\$HOME \\\\"\n'
    )
  })
})

test('build arguments replace defaults in FROM, but only with plain words', () => {
  const text = 'ARG V\nFROM node:${V}'
  expect(guardDockerfile(text, {}, { buildArgs: { V: '20' } }).references).toEqual([node])
  for (const V of ['20 AS x', '$W', '20\nRUN x'])
    expect(() => guardDockerfile(text, {}, { buildArgs: { V } })).toThrow('give it a plain default')
})

test('detects FROM scratch, also through ARG, but not a stage named scratch', () => {
  expect(guard('FROM scratch').fromScratch).toBe(true)
  expect(guard('ARG BASE=scratch\nFROM golang:1 AS build\nFROM ${BASE}\nCOPY --from=build /a /a').fromScratch).toBe(
    true
  )
  expect(guard('FROM golang:1 AS build\nFROM build').fromScratch).toBe(false)
})
