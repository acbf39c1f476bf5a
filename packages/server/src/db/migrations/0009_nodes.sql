CREATE TABLE "nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text,
	"last_port" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
INSERT INTO "nodes" ("id", "network", "last_port")
SELECT "value", (SELECT "value" FROM "settings" WHERE "key" = 'network'), (SELECT "value"::int FROM "settings" WHERE "key" = 'last_port')
FROM "settings" WHERE "key" = 'instance_id';--> statement-breakpoint
DELETE FROM "settings" WHERE "key" IN ('network', 'last_port');--> statement-breakpoint
ALTER TABLE "container_slots" ADD COLUMN "node_id" text;--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "node_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "node_id" text;--> statement-breakpoint
ALTER TABLE "sftp_users" ADD COLUMN "node_id" text;--> statement-breakpoint
UPDATE "container_slots" SET "node_id" = (SELECT "id" FROM "nodes");--> statement-breakpoint
UPDATE "databases" SET "node_id" = (SELECT "id" FROM "nodes");--> statement-breakpoint
UPDATE "projects" SET "node_id" = (SELECT "id" FROM "nodes");--> statement-breakpoint
UPDATE "sftp_users" SET "node_id" = (SELECT "id" FROM "nodes");--> statement-breakpoint
ALTER TABLE "container_slots" ALTER COLUMN "node_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "databases" ALTER COLUMN "node_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ALTER COLUMN "node_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sftp_users" ALTER COLUMN "node_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "databases" DROP CONSTRAINT "databases_username_unique";--> statement-breakpoint
ALTER TABLE "sftp_users" DROP CONSTRAINT "sftp_users_linux_username_unique";--> statement-breakpoint
DROP INDEX "databases_name_key";--> statement-breakpoint
ALTER TABLE "container_slots" DROP CONSTRAINT "container_slots_pkey";--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_node_id_port_pk" PRIMARY KEY("node_id","port");--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sftp_users" ADD CONSTRAINT "sftp_users_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "databases_username_key" ON "databases" USING btree ("node_id","username");--> statement-breakpoint
CREATE UNIQUE INDEX "sftp_users_linux_username_key" ON "sftp_users" USING btree ("node_id","linux_username");--> statement-breakpoint
CREATE UNIQUE INDEX "databases_name_key" ON "databases" USING btree ("node_id","type",lower("name"));
