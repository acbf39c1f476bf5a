import { expect, test } from 'vitest'
import { seenAs } from './verification.ts'

test.each([
  [['other', 'wanted'], 'sees.it', 'ok'],
  [['other'], 'sees.other', 'warn'],
  [[], 'sees.nothing', 'bad']
])('%j is %s', (values, word, tone) => expect(seenAs({ values }, 'wanted')).toEqual({ word, tone }))
