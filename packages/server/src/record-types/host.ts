import { isHostname } from '../net/hostname.ts'
import { absoluteName, hostOwnerProblem, isLabel, targetName, targetOrRoot } from './domain-name.ts'
import {
  firstText,
  type NumberMember,
  type OwnedContent,
  recordProblem,
  type RecordType,
  textBytes
} from './record-type.ts'

function hostType(code: number, members: readonly NumberMember[] = []) {
  return {
    code,
    members,
    isCaseSensitive: false,
    wireBytes: textBytes,
    file: { fields: members.length + 1, names: [members.length], read: firstText, write: absoluteName },
    fromWire: (rdata) => [...members.map(() => rdata.uint16()), rdata.name()].join(' ')
  } satisfies Partial<RecordType>
}

/** RFC 1035 §3.3.1. */
export const cname: RecordType = {
  ...hostType(5),
  normalize: (value, origin) => targetName(value, origin, isLabel),
  // Allowed at the wildcard of a wildcard domain, which is not an apex.
  ownerProblem: (owner, hostname) =>
    owner === hostname && !hostname.startsWith('*.') ? { code: 'CNAME_AT_APEX' } : undefined,
  contentProblem: ownNameProblem
}

/** RFC 1035 §3.3.11. */
export const ns: RecordType = {
  ...hostType(2),
  normalize: (value, origin) => targetName(value, origin, isHostname),
  ownerProblem: (owner) => (owner.startsWith('*.') ? { code: 'NS_WILDCARD' } : undefined)
}

/** RFC 1035 §3.3.12. */
export const ptr: RecordType = {
  ...hostType(12),
  normalize: (value, origin) => targetName(value, origin, isLabel),
  contentProblem({ owner, value }) {
    // RFC 1123 §2.1; BIND checks it for reverse zones.
    if (!/(^|\.)(in-addr|ip6)\.arpa$/.test(owner) || isHostname(value)) return undefined
    return recordProblem('value', { code: 'HOST_NAME' })
  }
}

/** RFC 1035 §3.3.9. A target of `.` means that the domain has no mail (RFC 7505). */
export const mx: RecordType = {
  ...hostType(15, ['priority']),
  normalize: (value, origin) => targetOrRoot(value, origin, isHostname),
  ownerProblem: hostOwnerProblem('MX'),
  contentProblem: ({ value, priority }) =>
    value === '.' && priority !== 0 ? recordProblem('priority', { code: 'NO_MAIL_PRIORITY' }) : undefined,
  // RFC 7505 §3.
  conflict: (candidate, other) =>
    (candidate.value === '.') === (other.value === '.')
      ? undefined
      : { code: 'NO_MAIL_ALONE', values: { owner: candidate.owner } }
}

/** RFC 2782. A target of `.` means that the service is not available. */
export const srv: RecordType = {
  ...hostType(33, ['priority', 'weight', 'port']),
  normalize: (value, origin) => targetOrRoot(value, origin, isHostname)
}

export function ownNameProblem({ owner, value }: OwnedContent) {
  return value === owner ? recordProblem('value', { code: 'OWN_NAME' }) : undefined
}
