CREATE TABLE "volumes" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"size_mb" integer NOT NULL,
	"files_name" text,
	"filled_at" timestamp (3) with time zone,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	"measured_at" timestamp (3) with time zone,
	"over_since" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "volumes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "volume_id" text;--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "volume_name" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "mounted_volumes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "volumes" ADD CONSTRAINT "volumes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "volumes_name" ON "volumes" USING btree ("project_id","name") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "volumes_deleted" ON "volumes" USING btree ("project_id") WHERE deleted_at is not null;