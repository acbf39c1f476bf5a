import { Menu } from '@mantine/core'
import { IconExternalLink, IconRocket, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import type { MenuParts } from '../../ui/lazy-menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { containerActions, useContainerAction } from './container-actions.tsx'
import { build } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

export function ProjectMenu({ target, onClose, project }: MenuParts & { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const deploy = useAction({
    run: () => build(project.id),
    invalidates: [['projects']],
    done: () => t('deploy.started', { name: project.name })
  })
  const control = useContainerAction(project.id)
  return (
    <Menu defaultOpened onClose={onClose} width={220}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {project.deployedDomain !== null && (
          <Menu.Item
            component="a"
            href={`//${project.deployedDomain}`}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {t('open.site')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconRocket size={16} aria-hidden />} onClick={() => deploy.start()}>
          {t('deploy')}
        </Menu.Item>
        {containerActions(project).map(({ action, icon: Glyph }) => (
          <Menu.Item
            key={action}
            leftSection={<Glyph size={16} aria-hidden />}
            disabled={control.isPending}
            onClick={() => control.start(action)}
          >
            {t(action)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          renderRoot={(props) => (
            <Link {...props} to="/projects/$projectId/settings" params={{ projectId: project.id }} />
          )}
        >
          {t('tab.settings')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
