import { describe, expect, test } from 'vitest'
import { guardDockerfile } from './dockerfile-rules.ts'

const guard = (text: string) => guardDockerfile(text, {}, { buildKit: { account: 20_001 } })
const node = 'docker.io/library/node:20'
const from = `FROM node:20\n`
/** Without the first line and the mark of the account. */
const rest = (text: string) =>
  guard(from + text)
    .text.replace(`FROM ${node}\n`, '')
    .replaceAll('RUN --mount=type=secret,id=panel-20001 ', 'RUN ')

describe('rewriting for BuildKit', () => {
  test.each<[string, string, string]>([
    ['options of COPY', 'COPY --link --chmod=755 a /', 'COPY --link --chmod=755 ["a","/"]\n'],
    ['a here-document to copy', 'COPY <<EOF /x\nFROM 0123\n\n# a \\\nEOF\nCMD x', 'COPY <<EOF /x\nFROM 0123\n\n# a \\\nEOF\nCMD x\n'],
    ['a script', 'RUN <<EOF\nset -e\nUSER root\nEOF\nUSER x', 'RUN <<EOF\nset -e\nUSER root\nEOF\nUSER x\n'],
    ['with tabs and quotes', `RUN cat <<-'EOF' > "/a b"\n\tx\n\tEOF\nCMD y`, `RUN cat <<-'EOF' > "/a b"\n\tx\n\tEOF\nCMD y\n`],
    ['two', 'COPY <<a <<b /d/\n1\na\n2\nb\nCMD x', 'COPY <<a <<b /d/\n1\na\n2\nb\nCMD x\n'],
    ['in quotes it is text', 'RUN echo "cat <<EOF" x\nCMD y', 'RUN echo "cat <<EOF" x\nCMD y\n'],
    ['a bind mount', 'RUN --mount=target=/x,src=y,rw --network=none z', 'RUN --mount=target=/x,source=y,readwrite --network=none z\n'],
    ['an image to mount', 'RUN --mount=type=bind,from=nginx,dst=/x y', 'RUN --mount=type=bind,from=docker.io/library/nginx:latest,target=/x y\n'],
    ['a secret by its file', 'RUN --mount=type=secret,target=/run/secrets/TOKEN x', 'RUN --mount=type=secret,target=/run/secrets/TOKEN,id=TOKEN x\n'],
    ['memory', 'RUN --mount=type=tmpfs,target=/x,size=1000 y', 'RUN --mount=type=tmpfs,target=/x,size=1000 y\n']
  ])('%s', (_, text, expected) => expect(rest(text)).toBe(expected)) // oxfmt-ignore

  test('caches are of the account, also by their target', () => {
    const id = /^RUN --mount=type=cache,target=\/root\/\$X,sharing=locked,id=(panel-20001-[0-9a-f]{32}) x$/m
    const named = /id=(panel-20001-[0-9a-f]{32}),target=\/c/
    const byTarget = id.exec(rest('RUN --mount=type=cache,target=/root/$X,sharing=locked x'))?.[1]
    expect(named.exec(rest('RUN --mount=type=cache,id=/root/$X,target=/c x'))?.[1]).toBe(byTarget)
    expect(named.exec(rest('RUN --mount=type=cache,id=../x,target=/c x'))?.[1]).not.toBe(byTarget)
  })

  test('every RUN has the mark of the account', () => {
    const { text } = guard(`${from}RUN a\nRUN ["b"]\nRUN <<EOF\nc\nEOF`)
    expect(text.match(/^RUN /gm)).toHaveLength(3)
    expect(text.match(/^RUN --mount=type=secret,id=panel-20001 /gm)).toHaveLength(3)
  })

  test('another frontend is omitted with a note', () => {
    const { text, notes } = guard(`# escape=\`\n# syntax = evil/frontend:1\n${from}`)
    expect(text).not.toContain('evil')
    expect(notes).toEqual([{ code: 'SYNTAX_NOT_USED' }])
    expect(guard(`# a comment\n# syntax=x\n${from}`).notes).toEqual([])
  })

  test('lists the secrets', () => {
    const { secrets } = guard(`${from}RUN --mount=type=secret,id=env --mount=type=secret,id=TOKEN,required x`)
    expect(secrets).toEqual([
      { id: 'env', line: 2 },
      { id: 'TOKEN', line: 2 }
    ])
  })
})

describe('rejects with BuildKit', () => {
  test.each<[string, string, RegExp]>([
    ['an image by its id', 'RUN --mount=from=b6873b3a6cd8,target=/x y', /Line 2 .*could be an image ID/],
    ['an image by its id in capitals', 'RUN --mount=From=b6873b3a6cd8,target=/x y', /could be an image ID/],
    ['a stage by number', 'RUN --mount=from=0,target=/x y', /give the stage a name/],
    ['an image behind a variable', 'RUN --mount=from=$X,target=/x y', /variable in the from/],
    ['the stage itself', 'FROM node:20 AS abc\nRUN --mount=from=abc,target=/x y', /into itself/],
    ['a type behind a variable', 'RUN --mount=type=$T,target=/x y', /variable in the type/],
    ['an option twice', 'RUN --mount=type=cache,id=a,id=b,target=/x y', /"id" twice/],
    ['an option twice by its other name', 'RUN --mount=target=/x,dst=/y z', /"target" twice/],
    ['SSH', 'RUN --mount=type=ssh git clone x', /no SSH key is passed.*type=secret/],
    ['the source of a secret', 'RUN --mount=type=secret,id=a,source=panel-20002 x', /"source" in a mount of type secret/],
    ['a mark', 'RUN --mount=type=secret,id=panel-20002 x', /name a variable of the project/],
    ['a secret without a name', 'RUN --mount=type=secret x', /name a variable of the project/],
    ['the network of the host', 'RUN --network=host x', /"--network=host", which is not allowed/],
    ['privileges', 'RUN --security=insecure x', /not allowed/],
    ['a cache without a place', 'RUN --mount=type=cache x', /without a target/],
    ['a quoted option', 'RUN --mount="type=bind" x', /invalid option/],
    ['a syntax of its own', 'COPY --parents a /', /--parents, which is not supported/],
    ['a remote file', 'ADD --chmod=755 https://a/b /', /from another host/],
    // BuildKit would read what follows these as instructions, or as text.
    ['an image id behind an open variable', 'RUN echo ${X <<EOF\nFROM 0123\nEOF', /here-document that is not plain/],
    ['an image id behind an open variable of a mount', 'RUN --mount=type=bind,target=/${X <<EOF\nFROM 0123\nEOF', /not plain/],
    ['an open quote', `RUN echo ' <<EOF\nFROM 0123\nEOF`, /not plain/],
    ['an escape', 'RUN echo \\" <<EOF\nx\nEOF', /not plain/],
    ['a command', 'RUN echo `a` <<EOF\nx\nEOF', /not plain/],
    ['a strange space', 'RUN a\ufeff<<EOF\nFROM 0123\nEOF', /not plain/],
    ['a name in pieces', 'RUN cat <<E"O"F\nx\nEOF', /not plain/],
    ['a name with more behind it', 'RUN cat <<EOF; x\nx\nEOF', /not plain/],
    ['no end', 'RUN <<EOF\nx', /not plain/],
    ['a quoted source beside one', 'COPY <<EOF "a b" /x\nEOF', /not plain/]
  ])('%s', (_, text, message) => {
    expect(() => guard(from + text)).toThrow(expect.objectContaining({ name: 'BuildError', message: expect.stringMatching(message) as string }))
  }) // oxfmt-ignore
})
