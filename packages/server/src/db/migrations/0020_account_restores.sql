CREATE TYPE "public"."account_restore_status" AS ENUM('PLANNING', 'PLANNED', 'STARTING', 'RUNNING', 'COMPLETED', 'FAILED', 'UNDONE');--> statement-breakpoint
CREATE TABLE "account_restores" (
	"id" text PRIMARY KEY NOT NULL,
	"backup_id" text NOT NULL,
	"backup_taken_at" timestamp (3) with time zone NOT NULL,
	"target_name" text NOT NULL,
	"email" text NOT NULL,
	"user_id" text,
	"requested_by" text NOT NULL,
	"status" "account_restore_status" DEFAULT 'PLANNING' NOT NULL,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"skipped" text[] DEFAULT '{}' NOT NULL,
	"rebuilt" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"problem" text,
	"worker_id" integer,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_restores_worker" CHECK (worker_id is null or status in ('PLANNING', 'STARTING', 'RUNNING'))
);
--> statement-breakpoint
ALTER TABLE "restores" DROP CONSTRAINT "restores_of";--> statement-breakpoint
DROP INDEX "restores_open";--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "account_restore_id" text;--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "encrypted_database" text;--> statement-breakpoint
CREATE UNIQUE INDEX "account_restores_open" ON "account_restores" USING btree ("user_id") WHERE status in ('STARTING', 'RUNNING');--> statement-breakpoint
CREATE INDEX "account_restores_list" ON "account_restores" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "restores_of_account" ON "restores" USING btree ("account_restore_id") WHERE account_restore_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "restores_open" ON "restores" USING btree (coalesce("project_id", "mailbox_id")) WHERE status in ('QUEUED', 'RUNNING') and account_restore_id is null;--> statement-breakpoint
ALTER TABLE "restores" ADD CONSTRAINT "restores_of" CHECK (num_nonnulls(project_id, mailbox_id) = 1 or account_restore_id is not null);