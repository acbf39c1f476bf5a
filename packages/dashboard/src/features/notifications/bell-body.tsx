import { Menu } from '@mantine/core'
import { IconChecks, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ownPathIn } from '../../routes/search.ts'
import { Foreign } from '../../ui/foreign.tsx'
import type { MenuParts } from '../../ui/lazy-menu.tsx'
import { StatusShape } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './bell.module.css'
import { notificationMessages } from './notifications.messages.ts'
import { latestQuery } from './notifications.queries.ts'
import { toneOf } from './severity.ts'
import { useRead } from './use-read.ts'

export function BellBody({ target, onClose }: MenuParts) {
  const t = useMessages(notificationMessages)
  const { data: latest } = useQuery(latestQuery)
  const { history } = useRouter()
  const read = useRead()
  const open = ({ id, link, readAt }: Schema<'Notification'>) => {
    if (readAt === null) read.mutate(id)
    history.push(ownPathIn(link) ?? '/account/notifications')
  }
  return (
    <Menu defaultOpened onClose={onClose} width="min(22rem, 92vw)" position="bottom-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown aria-label={t('title')}>
        <div className={classes.list}>
          {latest?.notifications.length === 0 && <p className={classes.empty}>{t('none')}</p>}
          {latest?.notifications.map((each) => (
            <Menu.Item
              key={each.id}
              leftSection={
                <span className={classes.shape} data-tone={toneOf[each.severity]}>
                  <StatusShape tone={toneOf[each.severity]} />
                </span>
              }
              onClick={() => open(each)}
            >
              <span className={classes.item} data-read={each.readAt === null ? undefined : ''}>
                <strong>{t(`kind.${each.kind}`)}</strong>
                <span>
                  <Foreign>{each.subject.name}</Foreign> · <Time at={each.createdAt} />
                </span>
              </span>
            </Menu.Item>
          ))}
        </div>
        <Menu.Divider />
        {(latest?.unread ?? 0) > 0 && (
          <Menu.Item leftSection={<IconChecks size={16} aria-hidden />} onClick={() => read.mutate(undefined)}>
            {t('readAll')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/account/notifications" leftSection={<IconList size={16} aria-hidden />}>
          {t('all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
