import { expect, test } from 'vitest'
import { dnssecView } from './dnssec.policy.ts'

const ds = { keyTag: 18618, algorithm: 13, digestType: 2, digest: 'AB12' }

test.each<[Parameters<typeof dnssecView>[0], boolean | null, RegExp]>([
  [{ isSigned: false, dsRecords: [], parentDs: [] }, false, /^Not signed$/],
  [{ isSigned: false, dsRecords: [], parentDs: ['1 13 2 FF'] }, true, /other keys/],
  [{ isSigned: true, dsRecords: [], parentDs: [] }, false, /being signed/],
  [{ isSigned: true, dsRecords: [ds], parentDs: [] }, false, /Now set the DS/],
  [{ isSigned: true, dsRecords: [ds], parentDs: null }, null, /No resolver/],
  [{ isSigned: true, dsRecords: [ds], parentDs: ['1 13 2 FF', '18618 13 2 ab12'] }, true, /has its DS record$/],
  [
    { isSigned: true, dsRecords: [ds], parentDs: ['1 13 2 FF'] },
    true,
    /does not match this zone \(found 1 13 2 FF\).*18618 13 2 AB12$/
  ]
])('%j', (state, dsAtParent, message) => {
  expect(dnssecView(state)).toMatchObject({
    enabled: state.isSigned,
    dsAtParent,
    message: expect.stringMatching(message)
  })
})
