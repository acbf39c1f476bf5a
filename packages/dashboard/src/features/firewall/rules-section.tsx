import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { lazy, Suspense, useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { firewallMessages } from './firewall.messages.ts'
import { firewallQuery, type FirewallRule, type FirewallState, type Ruleset, saveRules } from './firewall.queries.ts'
import { PresetSection } from './preset-section.tsx'
import { RuleTable } from './rule-table.tsx'
import classes from './firewall.module.css'

const RuleForm = lazy(() => import('./rule-form.tsx').then((module) => ({ default: module.RuleForm })))

/** Edits a draft of all rules, which is saved as a whole. While a change is on trial, it shows that change. */
export function RulesSection({ state }: { state: FirewallState }) {
  const t = useMessages(firewallMessages)
  const client = useQueryClient()
  const shown = rulesetOf(state.pending ?? state)
  const [draft, setDraft] = useState(shown)
  const [edited, setEdited] = useState<number | 'new'>()
  const [allowSshLockout, setAllowSshLockout] = useState(false)
  const isLocked = state.pending !== null
  const isChanged = JSON.stringify(draft) !== JSON.stringify(shown)
  const setRules = (rules: FirewallRule[]) => setDraft({ ...draft, rules })
  const saving = useOnce<FirewallState, Ruleset>({
    mutationFn: (ruleset) => saveRules(ruleset, { version: state.version, allowSshLockout }),
    onSuccess: (saved, { enabled }) => {
      client.setQueryData(firewallQuery.queryKey, saved)
      if (saved.pending) return
      const done = enabled === state.enabled ? 'saved' : enabled ? 'enabled' : 'disabled'
      notifications.show({ message: t(done), role: 'status' })
    }
  })
  const { error } = saving
  const save = (values: Partial<Ruleset> = {}) => saving.mutate({ ...draft, ...values })
  return (
    <>
      <Section
        title={t('rules')}
        hint={t('rules.hint')}
        actions={
          <Group gap="xs">
            {!isLocked && (
              <Button
                variant="default"
                loading={saving.isPending}
                onClick={() => save({ enabled: !state.enabled })}
                color={state.enabled ? 'red' : undefined}
              >
                {t(state.enabled ? 'disable' : 'enable')}
              </Button>
            )}
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={isLocked}
              onClick={() => setEdited('new')}
            >
              {t('rule.add')}
            </Button>
          </Group>
        }
      >
        {draft.rules.length === 0 ? (
          <EmptyState title={t('rules.none')} hint={t('rules.none.hint')} />
        ) : (
          <RuleTable rules={draft.rules} isLocked={isLocked} onChange={setRules} onEdit={setEdited} />
        )}
        <Stack gap="md" className={classes.below}>
          <NativeSelect
            label={t('default')}
            description={t('default.hint')}
            value={draft.defaultAction}
            disabled={isLocked}
            data={(['DENY', 'ALLOW'] as const).map((value) => ({ value, label: t(`action.${value}`) }))}
            onChange={({ currentTarget: { value } }) =>
              setDraft({ ...draft, defaultAction: value === 'ALLOW' ? 'ALLOW' : 'DENY' })
            }
            className={classes.short}
          />
          {error && <Notice tone="bad">{error.message}</Notice>}
          {isApiError(error) && (error.code === 'FIREWALL_SSH_LOCKOUT' || allowSshLockout) && (
            <Checkbox
              label={t('ssh')}
              checked={allowSshLockout}
              onChange={({ currentTarget: { checked } }) => setAllowSshLockout(checked)}
            />
          )}
          {isChanged && (
            <Group gap="sm">
              <span role="status">{t('unsaved')}</span>
              <Button loading={saving.isPending} onClick={() => save()}>
                {t(draft.enabled ? 'save.trial' : 'save')}
              </Button>
              <Button variant="default" onClick={() => setDraft(shown)}>
                {t('discard')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
      <PresetSection
        presets={state.presets}
        isLocked={isLocked}
        onAdd={(rule) => setRules([...draft.rules, rule])}
        rules={draft.rules}
      />
      {edited !== undefined && (
        <Suspense fallback={null}>
          <RuleForm
            rule={edited === 'new' ? undefined : draft.rules[edited]}
            yourAddress={state.yourAddress}
            onClose={() => setEdited(undefined)}
            onDone={(rule) => {
              setRules(edited === 'new' ? [...draft.rules, rule] : draft.rules.with(edited, rule))
              setEdited(undefined)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const rulesetOf = ({ enabled, defaultAction, rules }: Ruleset): Ruleset => ({ enabled, defaultAction, rules })
