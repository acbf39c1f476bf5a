/**
 * Why a zone file line, or a record, was not imported. Texts for a line continue after its number: `line 3: has no
 * type`.
 */
export const zoneLineTexts = {
  SAME_RECORD: 'line {{first}} is the same record',
  THERE_ALREADY: '{{owner}} already has this {{type}} record',
  DEFAULT_THERE: '{{record}}',
  APEX_SERVERS: 'the name servers of the zone itself cannot be changed',
  DNSSEC_RECORDS: 'DNSSEC records are skipped: this server signs its zones itself',
  NOT_IN_ZONE: '{{owner}} is not in the zone {{zone}}',
  CNAME_AT_APEX: 'A CNAME is not allowed at the apex {{zone}}',
  CNAME_NOT_ALONE: '{{owner}} has {{types}} records: a CNAME must be the only record of its name',
  CNAME_THERE: '{{owner}} has a CNAME, which must be the only record of its name',
  OWN_NAME_SERVER: '{{owner}} cannot be its own name server: its address cannot be at a delegation',
  DELEGATION_NOT_ALONE: '{{owner}} has {{type}} records: a delegated name can only have NS records',
  BELOW_DELEGATION: '{{above}} is delegated to {{server}}: only name server addresses can exist below it',
  ABOVE_RECORDS: '{{below}} has {{type}} records and is below {{owner}}: delegate only one of the two',
  NO_MAIL_ALONE: '{{owner}} has MX records: a null MX (“no mail”) must be the only one',
  ALIAS_ALONE:
    '{{owner}} has other records of this type: one with priority 0 is an alias, so the others must have priority 0 too',
  SET_TOO_LARGE: '{{owner}} has too many {{type}} records: at most {{max}}, and they must fit into one DNS response',
  ZONE_OF_TOO_MANY: 'the zone would have more than {{max}} records',
  ZONE_TOO_LARGE: 'the names and values of the zone would exceed {{max}} KiB',
  TYPE_NOT_SUPPORTED: '{{type}} records are not supported',
  OTHER_COUNT: '{{type}} has {{count}} values instead of {{wanted}}',
  INVALID: '{{problem}}',
  TOO_MANY_RECORDS: 'only the first {{max}} records are read',
  AND_MORE: 'and more',
  NAME_MISSING: 'has no name, and neither has a line above',
  NAME_INVALID: '{{text}} is not a valid name',
  NAME_TOO_LONG: '{{text}} is too long for a name',
  NAME_ELSEWHERE: '{{text}} is not in {{zone}}',
  ESCAPE_INVALID: 'has the escape \\{{escape}}: it must be \\000 to \\255',
  DIRECTIVE_NOT_SUPPORTED: '{{text}} is not supported',
  DIRECTIVE_VALUE: '{{directive}} requires one value',
  TTL_INVALID: '{{text}} is not a valid TTL',
  TTL_TOO_LARGE: 'has the TTL {{text}}: at most 2147483647 seconds',
  VALUE_MISSING: 'has a {{type}} record without a value',
  UNKNOWN_FORM: 'has data in the format for unknown types (\\#)',
  OTHER_CLASS: 'has the class {{text}}: only IN is supported',
  NO_TYPE_THERE: 'has {{text}} instead of a type',
  TYPE_MISSING: 'has no type',
  BRACKET_CLOSES: 'has a ) without a (',
  BRACKET_OPEN: 'has an unclosed (; the lines below it were not read',
  QUOTE_OPEN: 'has a quoted text that is not closed on the same line',
  TOO_MANY_FIELDS: 'has more than {{max}} fields'
} as const
export type ZoneLineCode = keyof typeof zoneLineTexts
