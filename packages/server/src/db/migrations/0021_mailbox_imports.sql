CREATE TYPE "public"."mailbox_import_security" AS ENUM('TLS', 'STARTTLS');--> statement-breakpoint
CREATE TYPE "public"."mailbox_import_status" AS ENUM('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TABLE "mailbox_import_positions" (
	"mailbox_id" text NOT NULL,
	"host" text NOT NULL,
	"username" text NOT NULL,
	"path" text NOT NULL,
	"uid_validity" bigint NOT NULL,
	"last_uid" bigint NOT NULL,
	"target" text NOT NULL,
	"target_uid_validity" bigint NOT NULL,
	"target_uid_next" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_import_positions_mailbox_id_host_username_path_pk" PRIMARY KEY("mailbox_id","host","username","path")
);
--> statement-breakpoint
CREATE TABLE "mailbox_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"mailbox_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "mailbox_import_status" DEFAULT 'QUEUED' NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"security" "mailbox_import_security" NOT NULL,
	"username" text NOT NULL,
	"password" text,
	"folders" text[],
	"folders_done" integer DEFAULT 0 NOT NULL,
	"messages_done" bigint DEFAULT 0 NOT NULL,
	"bytes_done" bigint DEFAULT 0 NOT NULL,
	"folders_total" integer,
	"messages_total" bigint,
	"bytes_total" bigint,
	"left_out" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"not_before" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_imports_password" CHECK ((status in ('QUEUED', 'RUNNING')) = (password is not null)),
	CONSTRAINT "mailbox_imports_worker" CHECK ((status = 'RUNNING') = (worker_id is not null))
);
--> statement-breakpoint
ALTER TABLE "mailbox_import_positions" ADD CONSTRAINT "mailbox_import_positions_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_imports" ADD CONSTRAINT "mailbox_imports_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_imports" ADD CONSTRAINT "mailbox_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_imports_open" ON "mailbox_imports" USING btree ("mailbox_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_imports_running" ON "mailbox_imports" USING btree ("user_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "mailbox_imports_queue" ON "mailbox_imports" USING btree ("queued_at") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX "mailbox_imports_account" ON "mailbox_imports" USING btree ("user_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "mailbox_imports_list" ON "mailbox_imports" USING btree ("mailbox_id","created_at");