CREATE TYPE "public"."database_status" AS ENUM('PROVISIONING', 'ACTIVE', 'DELETING');--> statement-breakpoint
CREATE TYPE "public"."database_type" AS ENUM('POSTGRESQL', 'MYSQL');--> statement-breakpoint
CREATE TYPE "public"."wordpress_import_status" AS ENUM('RUNNING', 'SUCCEEDED', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."wordpress_import_step" AS ENUM('RECEIVING', 'CHECKING', 'UNPACKING', 'LOADING', 'REWRITING', 'SWAPPING', 'DONE');--> statement-breakpoint
CREATE TABLE "databases" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "database_type" NOT NULL,
	"status" "database_status" DEFAULT 'PROVISIONING' NOT NULL,
	"project_id" text,
	"auto_inject_env" boolean DEFAULT false NOT NULL,
	"username" text NOT NULL,
	"encrypted_password" text NOT NULL,
	"encrypted_next_password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "databases_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "sftp_users" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"linux_username" text NOT NULL,
	"encrypted_password" text NOT NULL,
	"ssh_public_keys" text[] DEFAULT '{}' NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sftp_users_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "sftp_users_linux_username_unique" UNIQUE("linux_username")
);
--> statement-breakpoint
CREATE TABLE "wordpress_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "wordpress_import_status" DEFAULT 'RUNNING' NOT NULL,
	"step" "wordpress_import_step" DEFAULT 'RECEIVING' NOT NULL,
	"database_id" text,
	"staging_database" text,
	"files" integer DEFAULT 0 NOT NULL,
	"tables" integer DEFAULT 0 NOT NULL,
	"replaced_address" text,
	"deployment_id" text,
	"notes" text[] DEFAULT '{}' NOT NULL,
	"error_code" text,
	"error_message" text,
	"worker_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "env_vars" ADD COLUMN "database_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "files_name" text;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sftp_users" ADD CONSTRAINT "sftp_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "databases_name_key" ON "databases" USING btree ("type",lower("name"));--> statement-breakpoint
CREATE INDEX "databases_list" ON "databases" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "databases_project" ON "databases" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "databases_unfinished" ON "databases" USING btree ("updated_at") WHERE status <> 'ACTIVE' or encrypted_next_password is not null;--> statement-breakpoint
CREATE INDEX "sftp_users_stale" ON "sftp_users" USING btree ("id") WHERE applied_revision <> revision or removed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "wordpress_imports_running" ON "wordpress_imports" USING btree ("project_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "wordpress_imports_list" ON "wordpress_imports" USING btree ("project_id","created_at");--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "env_vars_database" ON "env_vars" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "projects_files_stale" ON "projects" USING btree ("user_id") WHERE deleted_at is null and files_name is distinct from name;