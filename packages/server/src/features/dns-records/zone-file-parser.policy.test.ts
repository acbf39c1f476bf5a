import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../record-types/character-string.ts'
import { parseZoneFile } from './zone-file-parser.policy.ts'

const parse = (content: string) => parseZoneFile(content, 'example.com')
const shown = (content: string) =>
  parse(content).records.map(({ owner, ttl, type, rdata }) => {
    const texts = rdata.map(({ text }) => bytesOf(text).toString('latin1'))
    return [owner, ttl, type, ...texts].join(' ')
  })
const errorsOf = (content: string) => parse(content).errors.map(({ line, reason }) => `${line}: ${reason}`)

describe('accepts', () => {
  test.each<[string, string, string[]]>([
    [
      'relative, absolute and @',
      'www A 1.1.1.1\n@ A 1.1.1.2\nx.example.com. A 1.1.1.3',
      ['www.example.com 3600 A 1.1.1.1', 'example.com 3600 A 1.1.1.2', 'x.example.com 3600 A 1.1.1.3']
    ],
    [
      'upper case',
      'WWW IN A 1.1.1.1\nx cname WWW',
      ['www.example.com 3600 A 1.1.1.1', 'x.example.com 3600 CNAME www.example.com.']
    ],
    [
      'no name: repeats the previous one',
      'www A 1.1.1.1\n A 1.1.1.2\n\tTXT x\n\n ; nothing\n A 1.1.1.3',
      [
        'www.example.com 3600 A 1.1.1.1',
        'www.example.com 3600 A 1.1.1.2',
        'www.example.com 3600 TXT x',
        'www.example.com 3600 A 1.1.1.3'
      ]
    ],
    [
      'the same with CRLF',
      'www A 1.1.1.1\r\n A 1.1.1.2\r\n',
      ['www.example.com 3600 A 1.1.1.1', 'www.example.com 3600 A 1.1.1.2']
    ],
    [
      'TTL and class in either order',
      'a 60 IN A 1.1.1.1\nb IN 60 A 1.1.1.1\nc CLASS1 A 1.1.1.1\nd in 1h30m A 1.1.1.1',
      [
        'a.example.com 60 A 1.1.1.1',
        'b.example.com 60 A 1.1.1.1',
        'c.example.com 60 A 1.1.1.1',
        'd.example.com 5400 A 1.1.1.1'
      ]
    ],
    [
      'TTLs: explicit, $TTL, last, default',
      'a A 1.1.1.1\nb 60 A 1.1.1.1\nc A 1.1.1.1\n$TTL 1w2d3h4m5s\nd A 1.1.1.1\n$TTL 9\ne A 1.1.1.1',
      [
        'a.example.com 3600 A 1.1.1.1',
        'b.example.com 60 A 1.1.1.1',
        'c.example.com 60 A 1.1.1.1',
        'd.example.com 788645 A 1.1.1.1',
        'e.example.com 9 A 1.1.1.1'
      ]
    ],
    [
      'the SOA minimum as the last fallback',
      '@ SOA a. b. ( 1 2 3\n 4 5m )\nx 60 A 1.1.1.1\nx TXT x',
      ['example.com 300 SOA a. b. 1 2 3 4 5m', 'x.example.com 60 A 1.1.1.1', 'x.example.com 300 TXT x']
    ],
    [
      'owners that look like types or TTLs',
      '60 A 1.1.1.1\n1h 1h A 1.1.1.1\nin in A 1.1.1.1\na A 1.1.1.1',
      [
        '60.example.com 3600 A 1.1.1.1',
        '1h.example.com 3600 A 1.1.1.1',
        'in.example.com 3600 A 1.1.1.1',
        'a.example.com 3600 A 1.1.1.1'
      ]
    ],
    [
      '$ORIGIN',
      '$ORIGIN dev\nx A 1.1.1.1\n@ MX 1 m\n$ORIGIN example.com.\nx CNAME y',
      [
        'x.dev.example.com 3600 A 1.1.1.1',
        'dev.example.com 3600 MX 1 m.dev.example.com.',
        'x.example.com 3600 CNAME y.example.com.'
      ]
    ],
    [
      'lines joined by parentheses',
      'x ( TXT\n "a" ; comment )\n\n ( "b" )\n) \n( y ) A(1.1.1.1)',
      ['x.example.com 3600 TXT a b', 'y.example.com 3600 A 1.1.1.1']
    ],
    [
      'comments',
      '; one\nx A 1.1.1.1;two\nx TXT "a;b" a\\;b ; three\n;',
      ['x.example.com 3600 A 1.1.1.1', 'x.example.com 3600 TXT a;b a;b']
    ],
    ['strings', 'x TXT "a b" c "" "d""e"f "\\"\\\\\\a\\059"', ['x.example.com 3600 TXT a b c  d e f "\\a;']],
    ['bytes', 'x TXT é "\\195\\169" "\\000\\255"', ['x.example.com 3600 TXT Ã© Ã© \0ÿ']],
    [
      'escapes in names',
      'w\\119\\w A 1.1.1.1\n\\* A 1.1.1.1\na\\.b A 1.1.1.1\na\\032b A 1.1.1.1\nx\\. A 1.1.1.1',
      [
        'www.example.com 3600 A 1.1.1.1',
        '*.example.com 3600 A 1.1.1.1',
        'a\\046b.example.com 3600 A 1.1.1.1',
        'a\\032b.example.com 3600 A 1.1.1.1',
        'x\\046.example.com 3600 A 1.1.1.1'
      ]
    ],
    [
      'the root',
      'x MX 0 .\n_s._tcp SRV 0 0 1 .',
      ['x.example.com 3600 MX 0 .', '_s._tcp.example.com 3600 SRV 0 0 1 .']
    ],
    [
      'unknown types',
      'x TYPE65280 4 1 00\nx SSHFP 1 1 AB\n',
      ['x.example.com 3600 TYPE65280 4 1 00', 'x.example.com 3600 SSHFP 1 1 AB']
    ],
    [
      'names of Object.prototype',
      '__proto__ TXT x\nx constructor y\n',
      ['__proto__.example.com 3600 TXT x', 'x.example.com 3600 CONSTRUCTOR y']
    ],
    ['no end of line, a byte-order mark', '\ufeffx A 1.1.1.1', ['x.example.com 3600 A 1.1.1.1']],
    ['nothing', '', []]
  ])('%s', (_what, content, records) => {
    expect(shown(content)).toEqual(records)
    expect(errorsOf(content)).toEqual([])
  })
})

describe('reports an invalid line and keeps the rest', () => {
  test.each<[string, RegExp]>([
    ['$INCLUDE /etc/passwd', /\$INCLUDE.*not supported/],
    ['$include x', /\$include.*not supported/],
    ['$GENERATE 1-9999999 h$ A 1.1.1.1', /\$GENERATE.*not supported/],
    ['$UNKNOWN x', /not supported/],
    ['$', /not supported/],
    ['$TTL', /requires one value/],
    ['$TTL x', /not a valid TTL/],
    ['$TTL 1h30', /not a valid TTL/],
    ['$TTL 2147483648', /at most/],
    ['$ORIGIN', /requires one value/],
    ['$ORIGIN a b', /requires one value/],
    ['evil. A 1.1.1.1', /"evil" is not in example.com/],
    ['notexample.com. A 1.1.1.1', /not in example.com/],
    ['. NS a.net.', /not in example.com/],
    ['x CH TXT x', /class "CH"/],
    ['x HS TXT x', /class "HS"/],
    ['x CLASS255 TXT x', /class "CLASS255"/],
    ['x', /no type/],
    ['x 60 IN', /no type/],
    ['x A', /without a value/],
    ['x A ()', /without a value/],
    ['x 1.1.1.1', /instead of a type/],
    ['x 60 60 A 1.1.1.1', /instead of a type/],
    ['x IN IN A 1.1.1.1', /instead of a type/],
    ['x "A" 1.1.1.1', /instead of a type/],
    ['"x" A 1.1.1.1', /is not a valid name/],
    ['x TXT "a', /not closed/],
    ['x TXT "a\\"', /not closed/],
    ['x TXT \\# 1 00', /unknown types/],
    ['x A ) 1.1.1.1', /without a \(/],
    [`x${'a'.repeat(2_000)} A 1.1.1.1`, /is not a valid name/],
    [`x TXT${' a'.repeat(1_001)}`, /more than 1000 fields/]
  ])('%s', (line, message) => {
    const { records, errors } = parse(`a A 192.0.2.1\n${line}\nb A 192.0.2.2\n`)
    expect(errors).toMatchObject([{ line: 2, reason: expect.stringMatching(message) }])
    expect(records.map(({ owner }) => owner)).toEqual(['a.example.com', 'b.example.com'])
  })
  test('an indented line needs a preceding name, even after an invalid one', () => {
    expect(errorsOf(' A 1.1.1.1')).toEqual(['1: has no name, and neither has a line above'])
    expect(errorsOf('x A 1.1.1.1\n"y" A 1.1.1.1\n A 1.1.1.2').at(-1)).toMatch(/^3: has no name/)
    expect(shown('x A 1.1.1.1\ny A\n A 1.1.1.2')).toEqual([
      'x.example.com 3600 A 1.1.1.1',
      'y.example.com 3600 A 1.1.1.2'
    ])
    expect(errorsOf('x A 1.1.1.1\nevil. A 1.1.1.1\n A 1.1.1.2')).toHaveLength(2)
  })
  test('$ORIGIN cannot leave the zone', () => {
    const { records, errors } = parse('$ORIGIN evil.\n@ A 1.1.1.1\nwww A 1.1.1.1\nexample.com. A 1.1.1.1\n')
    expect(errors.map(({ line }) => line)).toEqual([2, 3])
    expect(records.map(({ owner }) => owner)).toEqual(['example.com'])
  })
  test('an unclosed parenthesis consumes the rest', () => {
    const { records, errors } = parse('a A 1.1.1.1\nb TXT ( x\nc A 1.1.1.1\n')
    expect(errors).toMatchObject([{ line: 2, reason: expect.stringMatching(/unclosed/) }])
    expect(records).toHaveLength(1)
  })
  test('a message is short and one line', () => {
    expect(errorsOf(`x "\u0007${'y'.repeat(500)}" x`)[0]).toMatch(/^1: has "\\u0007y{59}…" instead of a type$/)
  })
})
