import { expect, test } from 'vitest'
import { canonicalFlags } from './message-flags.policy.ts'

test.each<[string, string[], string[]]>([
  ['system flags in any case', ['\\seen', '\\ANSWERED'], ['\\Seen', '\\Answered']],
  ['what only a server sets is left out', ['\\Recent', '\\Unknown'], []],
  ['keywords', ['$Forwarded', 'NonJunk', 'a.b-c_1'], ['$Forwarded', 'NonJunk', 'a.b-c_1']],
  ['no signs that mean something', ['a b', 'a"b', 'a)', '', 'x'.repeat(51), 'é', 'a\r\nb'], []],
  ['no more than ten', Array.from({ length: 30 }, (_, at) => `k${at}`), Array.from({ length: 10 }, (_, at) => `k${at}`)]
])('%s', (_what, flags, expected) => expect(canonicalFlags(flags)).toEqual(expected))
