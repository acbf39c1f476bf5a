CREATE TYPE "public"."terminal_end" AS ENUM('EXITED', 'CLOSED', 'IDLE', 'TOO_LONG', 'ACCESS_ENDED', 'CONTAINER_STOPPED', 'PANEL_STOPPED', 'PROTOCOL', 'FAILED');--> statement-breakpoint
CREATE TABLE "terminals" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	"process_id" text,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" "terminal_end",
	"exit_code" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "terminals_open" ON "terminals" USING btree ("user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "terminals_project" ON "terminals" USING btree ("project_id");