import { AuditAction } from '@panel/contract/audit'
import { expect, test } from 'vitest'
import english from './audit-action.en.json'

test('every audit action has a text, and no others', () =>
  expect(Object.keys(english).sort()).toEqual([...AuditAction.options].sort()))
