ALTER TYPE "public"."restore_kind" ADD VALUE 'MAILBOX';--> statement-breakpoint
CREATE TABLE "project_backup_settings" (
	"project_id" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"hour" integer NOT NULL,
	"minute" integer NOT NULL,
	"weekdays" integer[] NOT NULL,
	"excluded" text[] NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "restores_open";--> statement-breakpoint
ALTER TABLE "restores" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "excluded" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "mailbox_id" text;--> statement-breakpoint
ALTER TABLE "project_backup_settings" ADD CONSTRAINT "project_backup_settings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "restores_of_mailbox" ON "restores" USING btree ("mailbox_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "restores_open" ON "restores" USING btree (coalesce("project_id", "mailbox_id")) WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
ALTER TABLE "restores" ADD CONSTRAINT "restores_of" CHECK (num_nonnulls(project_id, mailbox_id) = 1);