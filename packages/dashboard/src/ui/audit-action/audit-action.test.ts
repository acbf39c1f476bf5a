import { AuditAction } from '@panel/contract/audit'
import { expect, test } from 'vitest'
import english from './audit-action.en.json'

test('every action of the audit log has its words, and no other has', () =>
  expect(Object.keys(english).sort()).toEqual([...AuditAction.options].sort()))
