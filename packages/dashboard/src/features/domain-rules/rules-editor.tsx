import { Button, Group, Stack } from '@mantine/core'
import type { DomainRules } from '@panel/contract/domain-rules'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, RowsSkeleton } from '../../ui/states.tsx'
import { domainRuleMessages } from './domain-rules.messages.ts'
import type { DomainRule } from './domain-rules.queries.ts'
import { otherNameOf } from './other-name.ts'
import { RuleTable } from './rule-table.tsx'
import { useRulesDraft } from './use-rules-draft.ts'
import classes from './domain-rules.module.css'

const RuleForm = lazy(() => import('./rule-form.tsx').then((module) => ({ default: module.RuleForm })))
const RuleTester = lazy(() => import('./rule-tester.tsx').then((module) => ({ default: module.RuleTester })))

export function RulesEditor({ domain, saved }: { domain: Schema<'Domain'>; saved: DomainRules }) {
  const t = useMessages(domainRuleMessages)
  const { rules, isChanged, isOutdated, isSaving, error, setRules, discard, save } = useRulesDraft(domain.id, saved)
  const [edited, setEdited] = useState<number | 'new'>()
  const added = useRef(0)
  const add = (rule: DomainRule) =>
    // The server replaces this id. Until then it tells the rows of the table apart.
    setRules([...rules, { ...rule, id: `new-${++added.current}` }])
  const rule = typeof edited === 'number' ? rules[edited] : undefined
  return (
    <>
      <Section
        title={t('rules')}
        hint={t('rules.hint')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            {t('rule.add')}
          </Button>
        }
      >
        {rules.length === 0 ? (
          <EmptyState title={t('rules.none')} hint={t('rules.none.hint')} />
        ) : (
          <RuleTable rules={rules} onChange={setRules} onEdit={setEdited} />
        )}
        <Stack gap="md" className={classes.below}>
          <WholeHost domain={domain} rules={rules} onAdd={add} />
          {isOutdated ? (
            <Notice
              tone="warn"
              action={
                <Button size="xs" variant="default" onClick={discard}>
                  {t('reload')}
                </Button>
              }
            >
              {t('outdated')}
            </Notice>
          ) : (
            error && <Notice tone="bad">{error.message}</Notice>
          )}
          {isChanged && (
            <Group gap="sm">
              <span role="status">{t('unsaved')}</span>
              <Button loading={isSaving} disabled={isOutdated} onClick={save}>
                {t('save')}
              </Button>
              <Button variant="default" disabled={isSaving} onClick={discard}>
                {t('discard')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
      <Suspense fallback={<RowsSkeleton rows={3} />}>
        <RuleTester domain={domain} isChanged={isChanged} />
      </Suspense>
      {edited !== undefined && (
        <Suspense fallback={null}>
          <RuleForm
            rule={rule}
            savedUsers={usersOf(saved.rules.find(({ id }) => id !== undefined && id === rule?.id))}
            onClose={() => setEdited(undefined)}
            onDone={(changed) => {
              if (edited === 'new') add(changed)
              else setRules(rules.with(edited, changed))
              setEdited(undefined)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const usersOf = (rule: DomainRule | undefined): string[] =>
  rule?.kind === 'LOGIN' ? rule.users.map(({ username }) => username) : []

interface WholeHostProps {
  domain: Schema<'Domain'>
  rules: readonly DomainRule[]
  onAdd(rule: DomainRule): void
}

/** From www to the name without it, or the other way round. */
function WholeHost({ domain: { hostname, pathPrefix }, rules, onAdd }: WholeHostProps) {
  const t = useMessages(domainRuleMessages)
  const name = pathPrefix === null ? otherNameOf(hostname) : undefined
  if (name === undefined) return null
  const isThere = rules.some(({ kind, path, match }) => kind === 'REDIRECT' && path === '/' && match === 'PREFIX')
  const rule = { kind: 'REDIRECT', enabled: true, match: 'PREFIX', path: '/', note: '', to: `https://${name}`, status: 301 } as const // oxfmt-ignore
  return (
    <Group gap="sm">
      <Button variant="default" disabled={isThere} onClick={() => onAdd(rule)}>
        {t('preset', { name })}
      </Button>
      <span className={card.sub}>{t('preset.hint', { name })}</span>
    </Group>
  )
}
