import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { StartUpgrade } from '@panel/contract/system'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { safeUrl } from '../../ui/safe-url.ts'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { settingsMessages } from './settings.messages.ts'
import { isUpgrading, startUpgrade, versionQuery } from './settings.queries.ts'

type Upgrade = Schema<'PanelUpgrade'>

const tones: Record<Upgrade['status'], Tone> = {
  PREPARING: 'info',
  SWITCHING: 'info',
  REFUSED: 'bad',
  REVERTED: 'bad',
  COMPLETED: 'ok'
}

/** The latest release, the last upgrade, and a form for the next one. */
export function UpgradeSection() {
  const t = useMessages(settingsMessages)
  const { data: panel } = useQuery(versionQuery)
  if (!panel) return null
  const { latest, upgrade, upgradeObstacle, version } = panel
  return (
    <Section title={t('upgrade')} hint={t('upgrade.hint')}>
      <Stack gap="md">
        <Facts
          rows={[
            { name: t('upgrade.current'), value: version },
            { name: t('upgrade.latest'), value: <Latest latest={latest} /> }
          ]}
        />
        {upgrade && <LastUpgrade upgrade={upgrade} />}
        {upgradeObstacle === null ? (
          <UpgradeForm isBusy={isUpgrading(upgrade)} />
        ) : (
          <Notice tone="info">{upgradeObstacle}</Notice>
        )}
      </Stack>
    </Section>
  )
}

function Latest({ latest }: { latest: Schema<'PanelVersion'>['latest'] }) {
  const t = useMessages(settingsMessages)
  if (!latest) return t('upgrade.unchecked')
  const url = safeUrl(latest.url)
  const name = latest.security ? t('upgrade.security', { version: latest.version }) : latest.version
  if (url === undefined) return name
  return (
    <Anchor href={url} target="_blank" rel="noreferrer">
      {name}
    </Anchor>
  )
}

function LastUpgrade({ upgrade: { endedAt, from, problem, startedAt, status, to } }: { upgrade: Upgrade }) {
  const t = useMessages(settingsMessages)
  const { dateTime } = useI18n()
  return (
    <>
      <Facts
        rows={[
          { name: t('upgrade.last'), value: to === null ? from : t('upgrade.versions', { from, to }) },
          {
            name: t('upgrade.status'),
            value: <StatusBadge tone={tones[status]}>{t(`upgrade.${status}`)}</StatusBadge>
          },
          { name: t('upgrade.time'), value: dateTime(endedAt ?? startedAt) }
        ]}
      />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </>
  )
}

function UpgradeForm({ isBusy }: { isBusy: boolean }) {
  const t = useMessages(settingsMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: StartUpgrade,
    initialValues: { source: '' },
    send: startUpgrade,
    onSaved: () => void client.invalidateQueries({ queryKey: versionQuery.queryKey })
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          type="url"
          label={t('upgrade.source')}
          description={t('upgrade.source.hint')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('source')}
        />
        <div>
          <Button type="submit" variant="default" loading={isPending} disabled={isBusy}>
            {t('upgrade.start')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
